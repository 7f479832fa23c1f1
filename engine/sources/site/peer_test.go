package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/sources/site/schema"
)

// clientsEnv is the folder where packaging/clients was installed.
const clientsEnv = "SEARCH_MCP_CLIENTS"

// library makes a page of every package of the Go distribution with a long enough documentation.
func library(t *testing.T) *schema.Index {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(strings.TrimSpace(string(out)), "src")
	x := &schema.Index{Version: schema.Version, Site: &schema.Site{Name: "Go", Domain: "go.example"}}
	err = filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch d.Name() {
		case "testdata", "vendor", "internal", "cmd":
			return fs.SkipDir
		}
		text, err := documentation(path)
		if err != nil {
			return err
		}
		if len(text) > 200 {
			abstract, _, _ := strings.Cut(text, ". ")
			x.Pages = append(x.Pages, schema.Page{URL: "/" + rel, Title: "Package " + rel, Abstract: abstract,
				Topics: strings.Split(rel, "/"), Body: text})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	x.PageCount = len(x.Pages)
	return x
}

// documentation returns the longest package comment in a folder, on one line.
func documentation(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	text := ""
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", err
		}
		if c := f.Doc.Text(); len(c) > len(text) && !strings.HasSuffix(file, "_test.go") {
			text = c
		}
	}
	return strings.Join(strings.Fields(text), " "), nil
}

// question is a query with the page that it is taken from.
type question struct{ text, url string }

// questions returns adjacent words of pages: the query of a user who remembers a phrase.
func questions(x *schema.Index, n int) []question {
	rng := rand.New(rand.NewPCG(11, 12))
	var out []question
	for len(out) < n {
		p := x.Pages[rng.IntN(len(x.Pages))]
		words := strings.Fields(p.Body)
		at := rng.IntN(len(words) - 4)
		phrase := strings.Trim(strings.Join(words[at:at+4], " "), ".,:;()")
		inAll := 0
		for _, q := range x.Pages {
			if strings.Contains(q.Body, phrase) {
				inAll++
			}
		}
		if inAll == 1 && len(phrase) <= 32 { // Fuse's patterns have 32 characters
			out = append(out, question{phrase, p.URL})
		}
	}
	return out
}

// mistype makes one typing error in the longest word.
func mistype(s string, rng *rand.Rand) string {
	words := strings.Fields(s)
	at := 0
	for i, w := range words {
		if len(w) > len(words[at]) {
			at = i
		}
	}
	w := []byte(words[at])
	if len(w) < 5 {
		return s
	}
	i := 1 + rng.IntN(len(w)-2)
	switch rng.IntN(3) {
	case 0:
		w = slices.Delete(w, i, i+1)
	case 1:
		w[i], w[i+1] = w[i+1], w[i]
	default:
		w[i] = 'a' + byte(rng.IntN(26))
	}
	words[at] = string(w)
	return strings.Join(words, " ")
}

// TestPeer: on the same index with the same weights our first result is correct at least as often as Fuse.js's, for
// exact and for mistyped queries.
func TestPeer(t *testing.T) {
	folder := os.Getenv(clientsEnv)
	if folder == "" {
		t.Skip(clientsEnv + " is not set: make test-clients sets it")
	}
	x := library(t)
	s := newSearchable(x)
	exact := questions(x, 100) // Fuse.js needs a tenth of a second for one
	rng := rand.New(rand.NewPCG(13, 14))
	typos := slices.Clone(exact)
	for i := range typos {
		typos[i].text = mistype(typos[i].text, rng)
	}
	for name, list := range map[string][]question{"exact": exact, "mistyped": typos} {
		ours, theirs := 0, 0
		for i, url := range fuse(t, folder, x, list) {
			if url == list[i].url {
				theirs++
			}
			r, _, err := s.search(t.Context(), list[i].text, 1)
			if err == nil && len(r) > 0 && r[0].URL == "https://go.example"+list[i].url {
				ours++
			}
		}
		t.Logf("%s: %d of %d right, Fuse.js %d (%d pages)", name, ours, len(list), theirs, len(x.Pages))
		if ours < theirs {
			t.Errorf("%s: Fuse.js is right more often: %d against %d", name, theirs, ours)
		}
	}
}

// fuse returns Fuse.js's first result for each question.
func fuse(t *testing.T, folder string, x *schema.Index, list []question) []string {
	t.Helper()
	queries := make([]string, 0, len(list))
	for _, q := range list {
		queries = append(queries, q.text)
	}
	in, err := json.Marshal(map[string]any{"index": x, "queries": queries})
	if err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(folder, "node_modules", "node", "bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(folder, "fuse.mjs"))
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("fuse.mjs: %v\n%s", err, stderr.Bytes())
	}
	var urls []string
	if err := json.Unmarshal(out, &urls); err != nil || len(urls) != len(list) {
		t.Fatal(fmt.Errorf("fuse.mjs: %w in %s", err, out))
	}
	return urls
}
