package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"searchmcp/engine/api"
)

// The documentation of a large open project, as a pinned package: 230 pages of Markdown with front matter and links.
const (
	manualPackage = "github.com/traefik/traefik/v3@v3.5.0"
	manualFolder  = "docs/content"
)

// manual fetches the documentation and returns a copy of its folder that a test may change.
func manual(t *testing.T, w *world) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", manualPackage)
	cmd.Dir = t.TempDir() // outside this module, whose go.sum does not list it
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if jerr := json.Unmarshal(out, &module); err != nil || jerr != nil || module.Error != "" {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s: %v %s", manualPackage, err, out)
		}
		t.Skipf("%s can't be fetched: %v %s", manualPackage, err, module.Error)
	}
	dir := filepath.Join(w.home, "manual")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(module.Dir, filepath.FromSlash(manualFolder)))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// queries for the documentation, each with a part of a correct page's path
var questions = []struct{ exact, mistyped, page string }{
	{"circuit breaker", "circut braker", "circuitbreaker"},
	{"rate limit requests", "rate limmit reqests", "ratelimit"},
	{"basic authentication middleware", "basic authentcation midleware", "basicauth"},
	{"strip a prefix from the path", "strip a prefx from the path", "stripprefix"},
	{"prometheus metrics", "promethues metrics", "prometheus"},
	{"let's encrypt dns challenge", "let's encrpyt dns chalenge", "acme"},
	{"kubernetes gateway api", "kuberntes gateway api", "gateway"},
	{"migrate from version 2 to version 3", "migrate from verson 2 to verson 3", "migrat"},
	{"access logs format", "acces logs fromat", "accesslogs"},
	{"ip allow list", "ip alow list", "ipallowlist"},
}

// rightOf returns the number of queries with a correct page among the first three results of ask, and the longest time.
func rightOf(t *testing.T, ask func(query string) []string) (exact, mistyped int, longest time.Duration) {
	t.Helper()
	one := func(query, page string) int {
		began := time.Now()
		pages := ask(query)
		longest = max(longest, time.Since(began))
		if !slices.ContainsFunc(pages[:min(3, len(pages))],
			func(p string) bool { return strings.Contains(strings.ToLower(strings.ReplaceAll(p, "-", "")), page) }) {
			t.Logf("%q: %s is not among %v", query, page, pages[:min(3, len(pages))])
			return 0
		}
		return 1
	}
	for _, q := range questions {
		exact += one(q.exact, q.page)
		mistyped += one(q.mistyped, q.page)
	}
	return exact, mistyped, longest
}

// wantRight is nine of ten: a page of a manual should be on the first screen.
func wantRight(t *testing.T, what string, ask func(query string) []string) {
	t.Helper()
	exact, mistyped, longest := rightOf(t, ask)
	t.Logf("%s: right in the first three: %d of %d exact, %d mistyped; longest call %v", what, exact,
		len(questions), mistyped, longest)
	if exact < len(questions)-1 || mistyped < len(questions)-1 {
		t.Errorf("%s: right in the first three: %d of %d exact, %d mistyped", what, exact, len(questions), mistyped)
	}
}

// TestDocumentation runs documents, site, named index and archive on a real documentation.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := manual(t, w)
	e := w.connect(w.home, "--docs", dir)
	t.Run("documents", func(t *testing.T) { manualAsDocuments(t, e, dir) })
	t.Run("site", func(t *testing.T) { manualAsSite(t, w, e, dir) })
	t.Run("archive", func(t *testing.T) { manualAsArchive(t, w, e, dir) })
	t.Run("named index", func(t *testing.T) { manualAsNamed(t, e, dir) })
}

// pagesOf lists the Markdown files of a folder by relative path.
func pagesOf(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			rel, rerr := filepath.Rel(dir, path)
			out, err = append(out, filepath.ToSlash(rel)), rerr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// servedAs reports whether text is the page, from some line on, with marks in place of secrets. Manuals contain keys.
func servedAs(page, text string) bool {
	if !strings.Contains(text, secretMark) {
		return strings.HasSuffix(page, text) && (text != "" || page == "")
	}
	want, got := strings.Split(page, "\n"), strings.Split(text, "\n")
	if len(got) > len(want) {
		return false
	}
	want = want[len(want)-len(got):]
	within := false // a block of key material: a mark in its first line, the others empty
	for i := range got {
		within = strings.Contains(got[i], secretMark) || within && strings.TrimSpace(got[i]) == ""
		if got[i] != want[i] && !within {
			return false
		}
	}
	return true
}

const secretMark = "«[secret: "

var addressOfMatch = regexp.MustCompile(`(?m)^\d+\. (docs://\S+) - "`)

func manualAsDocuments(t *testing.T, e *editor, dir string) {
	pages := pagesOf(t, dir)
	list := e.documents()
	for _, page := range pages {
		d, listed := list["docs://"+page]
		if !listed || d.Name != page || d.Title == "" || d.MIMEType != "text/markdown" || len([]rune(d.Description)) > 160 {
			t.Errorf("%s: %+v", page, d)
			continue
		}
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		c, err := e.read(d.URI)
		if err != nil || c.URI != d.URI || c.MIMEType != d.MIMEType || !servedAs(string(want), c.Text) {
			t.Errorf("%s: %v %q", page, err, c.Text)
		}
	}
	if got := list["docs://routing/entrypoints.md"]; got.Title != "Traefik EntryPoints Documentation" ||
		!strings.HasPrefix(got.Description, "For routing and load balancing in Traefik Proxy,") {
		t.Errorf("%+v", got)
	}
	wantRight(t, fmt.Sprintf("search_documents over %d pages", len(pages)), func(query string) []string {
		text, failed := e.text("search_documents", map[string]any{"query": query})
		if failed {
			t.Fatal(text)
		}
		var out []string
		for _, m := range addressOfMatch.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		return out
	})
}

func manualAsSite(t *testing.T, w *world, e *editor, dir string) {
	w.mustCLI("site", "build", dir, "--name", "Traefik", "--domain", "doc.traefik.io", "--prefix", "traefik",
		"-o", "traefik.json")
	w.mustCLI("site", "validate", "traefik.json")
	w.mustCLI("site", "add", "traefik.json")
	w.await("search_traefik", func() bool { return slices.Contains(e.tools(), "search_traefik") })
	wantRight(t, "search_traefik", func(query string) []string {
		var answer struct {
			Results []struct{ URL, Title, Excerpt string }
		}
		e.call("search_traefik", map[string]any{"query": query}, &answer)
		var out []string
		for _, r := range answer.Results {
			if !strings.HasPrefix(r.URL, "https://doc.traefik.io/") || r.Title == "" || r.Excerpt == "" {
				t.Errorf("%+v", r)
			}
			out = append(out, r.URL)
		}
		return out
	})
}

func manualAsArchive(t *testing.T, w *world, e *editor, dir string) {
	var report api.ArchiveReport
	decode(t, w.mustCLI("archive", "import", dir, "--json"), &report)
	t.Logf("%d documents, %d citations, %d of them to documents of the archive", report.Documents,
		report.Citations, report.Resolved)
	if pages := len(pagesOf(t, dir)); report.Documents < pages || report.Added != report.Documents ||
		report.Citations < 500 || report.Resolved < 200 {
		t.Errorf("%+v", report)
	}
	var again api.ArchiveReport
	if decode(t, w.mustCLI("archive", "import", dir, "--json"), &again); again.Unchanged != report.Documents ||
		again.Added+again.Updated+again.Removed != 0 || again.Citations != report.Citations {
		t.Errorf("%+v", again)
	}
	w.await("searchLocalArchives", func() bool { return slices.Contains(e.tools(), "searchLocalArchives") })
	wantRight(t, "searchLocalArchives", func(query string) []string {
		var out []string
		for _, r := range archived(t, e, map[string]any{"query": query}).Results {
			out = append(out, r.Document.Path)
		}
		return out
	})
	a := archived(t, e, map[string]any{"query": "entry points", "includeCitations": true, "citationDepth": 3, "limit": 3})
	nodes, far := map[string]bool{}, 0
	for _, n := range a.CitationGraph.Nodes {
		if nodes[n.ID] || n.Label == "" {
			t.Errorf("a node twice or without a label: %+v", n)
		}
		nodes[n.ID] = true
	}
	for _, edge := range a.CitationGraph.Edges {
		if !nodes[edge.From] || !nodes[edge.To] {
			t.Errorf("an edge without its nodes: %+v", edge)
		}
	}
	for _, r := range a.Results {
		seen := map[string]bool{}
		for i, c := range slices.Concat(r.Citations.Citing, r.Citations.Cited) {
			if i == len(r.Citations.Citing) {
				clear(seen) // in a cycle of citations both directions include the same one
			}
			to := c.TargetURL
			if c.TargetID != nil {
				to = *c.TargetID
			}
			if key := c.SourceID + " " + to; seen[key] {
				t.Errorf("a citation twice: %s", key)
			} else {
				seen[key] = true
			}
			if c.SourceID != r.Document.ID && to != r.Document.ID {
				far++
			}
			if c.Context == "" || c.Confidence <= 0 || c.Confidence > 1 {
				t.Errorf("%+v", c)
			}
		}
	}
	if len(a.Results) != 3 || far == 0 {
		t.Errorf("%d results, %d citations of further levels", len(a.Results), far)
	}
	var left api.ArchiveInfo
	if decode(t, w.mustCLI("archive", "remove", dir, "--json"), &left); left.Documents != 0 || left.Exists {
		t.Errorf("%+v", left)
	}
	w.await("searchLocalArchives to go", func() bool { return !slices.Contains(e.tools(), "searchLocalArchives") })
}

func archived(t *testing.T, e *editor, args map[string]any) api.ArchiveAnswer {
	t.Helper()
	text, failed := e.text("searchLocalArchives", args)
	if failed {
		t.Fatal(text)
	}
	var a api.ArchiveAnswer
	decode(t, text, &a)
	return a
}

func manualAsNamed(t *testing.T, e *editor, dir string) {
	e.text("search_create_index", map[string]any{"index_name": "manual",
		"tokenizer_config": map[string]any{"min_length": 3}})
	for _, page := range pagesOf(t, filepath.Join(dir, "middlewares")) {
		text, err := os.ReadFile(filepath.Join(dir, "middlewares", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		if got, failed := e.text("search_add_document", map[string]any{"doc_id": page, "content": string(text),
			"index_name": "manual",
			"metadata":   map[string]any{"folder": "middlewares"}}); failed || !strings.HasPrefix(got,
			`{"status":"indexed","doc_id":"`+page+`","token_count":`) {
			t.Error(got)
		}
	}
	var answer api.NamedAnswer
	text, _ := e.text("search_index", map[string]any{"query": `+prefix "strip prefix" -regex`, "k": 3,
		"index_name": "manual"})
	if decode(t, text, &answer); len(answer.Results) == 0 || answer.Results[0].DocID != "http/stripprefix.md" ||
		len(answer.Results[0].Highlights) != 3 {
		t.Error(text)
	}
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// patternOf returns the pattern of a row of docs/reference/files.md.
var patternOf = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// TestFilesAreDocumented: the reference lists every file of a used data folder.
func TestFilesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "files.md"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	root := w.copyGo("project", "container/ring")
	w.write(filepath.Join(root, "docs", "guide.md"), "# Guide\n\nHow to.\n")
	w.write(filepath.Join(w.home, "my.json"), fmt.Sprintf(siteIndex, "mysite"))
	w.mustCLI("index", root, "--yes")
	w.mustCLI("site", "add", "my.json")
	w.mustCLI("archive", "import", filepath.Join(root, "docs"))
	w.mustCLI("settings", "set", "activity", "false")
	w.mustCLI("search", "--project", root, "ring")
	var named []string
	for _, m := range patternOf.FindAllStringSubmatch(string(page), -1) {
		named = append(named, m[1])
	}
	files := 0
	err = filepath.WalkDir(w.data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		rel, err := filepath.Rel(w.data, path)
		if err == nil && !slices.ContainsFunc(named, func(p string) bool {
			ok, _ := doublestar.Match(p,
				filepath.ToSlash(rel))
			return ok
		}) {
			t.Errorf("%s is not in docs/reference/files.md", rel)
		}
		return err
	})
	if err != nil || files < 20 {
		t.Errorf("%d files, %v", files, err)
	}
}
