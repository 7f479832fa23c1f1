package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/sources/markup"
)

func folder(t testing.TB, files map[string]string) *Folder {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	root := filepath.Join(dir, "docs")
	put(t, root, files)
	p, err := policy.New(root, api.DefaultConfig())
	must(t, err)
	f := Open(p, markup.InProcess{})
	scan(t, f)
	return f
}

func scan(t testing.TB, f *Folder) {
	t.Helper()
	_, err := f.Scan(t.Context())
	must(t, err)
}

func put(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

var handbook = map[string]string{
	"README.md":                 "# Project Overview\n\nThis project is a handbook.",
	"guides/getting-started.md": "Start here without a heading.",
	"guides/setup.md":           "# Setup Guide\n\n## Requirements\n\nThe installation steps are as follows.",
	"api/reference.html": "<title>API Reference</title><style>x{}</style><script>bad()</script>" +
		"<h1>Calls</h1><p>Every call of the server.</p>",
	"notes/memo.txt": "Memo of the week\nBuy milk\n",
	"code/main.go":   "package main // installation",
	".env":           "A=1", "node_modules/x/README.md": "# hidden", "notes/.git/x.md": "# no",
}

func TestList(t *testing.T) {
	f := folder(t, handbook)
	doc := func(name, title, description, mime string) api.Document {
		return api.Document{Name: name, Title: title, Description: description, Tags: []string{}, MIMEType: mime}
	}
	want := []api.Document{
		doc("README.md", "Project Overview", "This project is a handbook.", "text/markdown"),
		doc("api/reference.html", "API Reference", "Every call of the server.", "text/markdown"),
		doc("guides/getting-started.md", "getting-started", "Start here without a heading.", "text/markdown"),
		doc("guides/setup.md", "Setup Guide", "The installation steps are as follows.", "text/markdown"),
		doc("notes/memo.txt", "Memo of the week", "Buy milk", "text/plain"),
	}
	wantEqual(t, f.List(), want, "f")
	wantEqual(t, f.Any(t.Context()), true, "documents")
	empty := folder(t, map[string]string{"main.go": "package main"})
	if empty.Any(t.Context()) || Open(empty.policy, markup.InProcess{}).Any(t.Context()) {
		t.Error("documents in a folder without")
	}
	wantEqual(t, Open(f.policy, markup.InProcess{}).Any(t.Context()), true, "not found before the first scan")
}

func TestURI(t *testing.T) {
	for key, want := range map[string]string{
		"README.md": "docs://README.md", "guides/getting-started.md": "docs://guides/getting-started.md",
		"api/reference.html": "docs://api/reference.html", "notes/memo.txt": "docs://notes/memo.txt",
		"a b/ü#?%.md": "docs://a%20b/%C3%BC%23%3F%25.md",
	} {
		wantEqual(t, URI("", key), want, "URI")
	}
	wantEqual(t, URI("@lib/", "a.md"), "docs://@lib/a.md", "URI")
}

func TestRead(t *testing.T) {
	f := folder(t, handbook)
	if text, mime, err := f.Read(t.Context(), "guides/setup.md", ""); err != nil || mime != "text/markdown" ||
		text != handbook["guides/setup.md"] {
		t.Error(text, mime, err)
	}
	text, mime, err := f.Read(t.Context(), "api/reference.html", "")
	if err != nil || mime != "text/markdown" || !strings.Contains(text, "# Calls") || strings.Contains(text, "bad()") ||
		strings.Contains(text, "x{}") {
		t.Error(text, mime, err)
	}
	if text, mime, err := f.Read(t.Context(), "notes/memo.txt", ""); err != nil || mime != "text/plain" ||
		text != handbook["notes/memo.txt"] {
		t.Error(text, mime, err)
	}
	wantEqual(t, f.Find("readme.md"), "README.md", "find")
	wantEqual(t, f.Find("none.md"), "none.md", "find")
}

func TestRefused(t *testing.T) {
	f := folder(t, handbook)
	outside := filepath.Join(filepath.Dir(f.Policy().Root()), "secret.md")
	must(t, os.WriteFile(outside, []byte("# secret"), 0o600))
	links := runtime.GOOS != "windows"
	if links {
		for name, to := range map[string]string{"link.md": outside, "leads": filepath.Dir(f.Policy().Root()),
			"inside.md": filepath.Join(f.Policy().Root(), "README.md")} {
			must(t, os.Symlink(to, filepath.Join(f.Policy().Root(), name)))
		}
	}
	for key, want := range map[string]api.Code{
		"../secret.md": api.PermissionDenied, "guides/../../secret.md": api.PermissionDenied,
		"guides/../README.md": api.PermissionDenied,
		"/etc/passwd":         api.PermissionDenied, "": api.PermissionDenied, ".": api.PermissionDenied,
		"a\x00.md": api.PermissionDenied,
		"none.md":  api.FileNotFound, "code/main.go": api.FileNotFound, "guides": api.FileNotFound,
		"%2e%2e/secret.md":         api.FileNotFound,
		"node_modules/x/README.md": api.FileNotIndexable, "notes/.git/x.md": api.FileNotIndexable,
		"link.md": api.SymlinkNotAllowed, "leads/secret.md": api.SymlinkNotAllowed, "inside.md": api.SymlinkNotAllowed,
	} {
		if !links && want == api.SymlinkNotAllowed {
			continue
		}
		if text, _, err := f.Read(t.Context(), key, ""); api.CodeOf(err) != want || text != "" {
			t.Errorf("%q: %q, %v, want %s", key, text, err, want)
		}
	}
	scan(t, f)
	for _, d := range f.List() {
		if strings.Contains(d.Name, "link") || strings.HasPrefix(d.Name, "leads") || d.Name == "inside.md" {
			t.Errorf("%s is listed", d.Name)
		}
	}
}

func TestScan(t *testing.T) {
	f := folder(t, handbook)
	scan := func(want bool) {
		t.Helper()
		changed, err := f.Scan(t.Context())
		if err != nil || changed != want {
			t.Fatalf("changed %v, want %v, %v", changed, want, err)
		}
	}
	scan(false)
	put(t, f.Policy().Root(), map[string]string{"new.md": "# New"})
	scan(true)
	scan(false)
	put(t, f.Policy().Root(), map[string]string{"new.md": "# Newer title"})
	scan(true)
	if m, _, err := f.Search(t.Context(), api.DocumentQuery{Text: "newer", Limit: 5}, nil); err != nil || len(m) != 1 {
		t.Error(m, err)
	}
	put(t, f.Policy().Root(), map[string]string{"code/other.go": "package x"})
	scan(false)
	must(t, os.Remove(filepath.Join(f.Policy().Root(), "new.md")))
	scan(true)
	if m, _, err := f.Search(t.Context(), api.DocumentQuery{Text: "newer", Limit: 5}, nil); err != nil || len(m) != 0 {
		t.Error(m, err)
	}
	if f.ScannedWithin(0) || !f.ScannedWithin(time.Hour) {
		t.Error("freshness")
	}
	f.Touch()
	wantEqual(t, f.ScannedWithin(time.Hour), false, "touched and fresh")
	must(t, os.RemoveAll(f.Policy().Root()))
	if _, err := f.Scan(t.Context()); err == nil || len(f.List()) != 5 {
		t.Error("a folder that is gone has no documents left", err)
	}
}

func TestLimit(t *testing.T) {
	f := folder(t, handbook)
	f.limit = 3
	if changed, err := f.Scan(t.Context()); err != nil || !changed || f.Len() != 3 || f.Skipped() != 2 {
		t.Errorf("%v %v, %d documents, %d left out", changed, err, f.Len(), f.Skipped())
	}
	f.limit = MaxDocuments
	if changed, err := f.Scan(t.Context()); err != nil || !changed || f.Len() != 5 || f.Skipped() != 0 {
		t.Errorf("%v %v, %d documents, %d left out", changed, err, f.Len(), f.Skipped())
	}
}

func TestUnload(t *testing.T) {
	f := folder(t, handbook)
	put(t, f.Policy().Root(), map[string]string{"long.txt": strings.Repeat("x ", longFile/2)})
	scan(t, f)
	find := func(query string, want int) {
		t.Helper()
		if m, total, err := f.Search(t.Context(), api.DocumentQuery{Text: query, In: InBoth, Limit: 5}, nil); err != nil ||
			total != want || len(m) != want {
			t.Errorf("%s: %v, %d, %v", query, m, total, err)
		}
	}
	texts := func(want int) {
		t.Helper()
		n := 0
		for _, e := range f.entries {
			if e.parsed != nil {
				n++
			}
		}
		wantEqual(t, n, want, "count")
	}
	texts(1)
	f.Unload(f.used)
	wantEqual(t, f.words == nil, false, "words that were used since are given up")
	f.Unload(f.used.Add(1))
	if f.words != nil || f.Len() != 6 || !f.Scanned() {
		t.Errorf("unloaded: words %v, %d documents", f.words != nil, f.Len())
	}
	texts(0)
	put(t, f.Policy().Root(), map[string]string{"notes/late.md": "# Late\n\nA zebra."})
	must(t, os.Remove(filepath.Join(f.Policy().Root(), "notes", "memo.txt")))
	if changed, err := f.Scan(t.Context()); err != nil || !changed || f.words != nil || f.Len() != 6 {
		t.Errorf("scan without words: %v %v", changed, err)
	}
	texts(0)
	find("zebra", 1)
	texts(1)
	find("milk", 0)
	find("installation", 1)
	wantEqual(t, f.words == nil, false, "words that are searched are not kept")
	f.Unload(f.used.Add(1))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := f.Search(ended, api.DocumentQuery{Text: "zebra", In: InBoth, Limit: 5}, nil)
	if !errors.Is(err, context.Canceled) || f.words != nil {
		t.Errorf("a search that was given up: %v", err)
	}
	find("zebra", 1)
}

func TestSearch(t *testing.T) {
	f := folder(t, handbook)
	for _, tt := range []struct {
		q     api.DocumentQuery
		first string
		in    string
		total int
	}{
		{api.DocumentQuery{Text: "installation steps"}, "guides/setup.md", InContent, 1},
		{api.DocumentQuery{Text: "setup"}, "guides/setup.md", InTitle, 1},
		{api.DocumentQuery{Text: "instalation"}, "guides/setup.md", InContent, 1},
		{api.DocumentQuery{Text: "project"}, "README.md", InBoth, 1},
		{api.DocumentQuery{Text: "project", In: InContent}, "README.md", InContent, 1},
		{api.DocumentQuery{Text: "milk", In: InTitle}, "", "", 0},
		{api.DocumentQuery{Text: "memo", In: InTitle}, "notes/memo.txt", InTitle, 1},
		{api.DocumentQuery{Text: "call", FileTypes: []string{".HTML"}}, "api/reference.html", InContent, 1},
		{api.DocumentQuery{Text: "call", FileTypes: []string{".MD", "txt"}}, "", "", 0},
		{api.DocumentQuery{Text: ""}, "", "", 0},
	} {
		if tt.q.In == "" {
			tt.q.In = InBoth
		}
		tt.q.Limit = 10
		got, total, err := f.Search(t.Context(), tt.q, nil)
		if err != nil || total != tt.total || len(got) != tt.total {
			t.Errorf("%+v: %v, %d, %v", tt.q, got, total, err)
			continue
		}
		if total > 0 && (got[0].Path != tt.first || got[0].In != tt.in || got[0].Excerpt == "" ||
			got[0].Relevance <= 0 || got[0].Relevance > 1) {
			t.Errorf("%+v: %+v", tt.q, got[0])
		}
	}
	got, total, err := f.Search(t.Context(), api.DocumentQuery{Text: "the", In: InBoth, Limit: 1}, nil)
	if err != nil || len(got) != 1 || total < 2 {
		t.Error("limit", got, total, err)
	}
}

func TestRankedAsIndex(t *testing.T) {
	files := map[string]string{"page.html": "<title>Quokka</title><p>quokka</p>",
		"first.md":  "# Quokka\n\nquokka quokka\n",
		"wanted.md": "# Notes\n\n" + strings.Repeat("many other words ", 200) + "and a quokka\n",
		"other.md":  "# Other\n\na quokka and more\n"}
	f := folder(t, files)
	order := func(index map[string]float64, limit int) (out []string) {
		t.Helper()
		found, total, err := f.Search(t.Context(), api.DocumentQuery{Text: "quokka", In: InBoth, Limit: limit}, index)
		if err != nil || total != 4 {
			t.Fatal(total, err)
		}
		for i, m := range found {
			out = append(out, m.Path)
			if score, indexed := index[m.Path]; indexed && m.Relevance != score || i > 0 && m.Relevance > found[i-1].Relevance {
				t.Errorf("%v: %+v", index, found)
			}
		}
		return out
	}
	wantEqual(t, order(nil, 4)[3], "wanted.md", "by words alone: order")
	index := map[string]float64{"wanted.md": 0.99, "other.md": 0.1, "gone.md": 1}
	if got := order(index, 4); got[0] != "wanted.md" || got[1] != "page.html" {
		t.Error(got)
	}
	wantEqual(t, order(index, 1)[0], "wanted.md", "order")
}

func TestFormat(t *testing.T) {
	m := Match{Path: "guides/setup.md", Title: "Setup Guide", Relevance: 0.95,
		Excerpt: "...installation steps are as follows...", In: InContent}
	want := "Search results: 3 matches\n\n1. docs://guides/setup.md - \"Setup Guide\" (relevance: 0.95)\n" +
		"   Excerpt: ...installation steps are as follows...\n   Match location: content"
	if got, n := Format([]Match{m}, 3, api.MaxResult); got != want || n != 1 {
		t.Errorf("%q", got)
	}
	if got, n := Format(nil, 0, api.MaxResult); got != "Search results: 0 matches" || n != 0 {
		t.Errorf("%q", got)
	}
	f := folder(t, handbook)
	matches, total, err := f.Search(t.Context(), api.DocumentQuery{Text: "installation", In: InBoth, Limit: 10}, nil)
	must(t, err)
	form := regexp.MustCompile(
		`^Search results: 1 match\n\n1\. docs://guides/setup\.md - "Setup Guide" \(relevance: 0\.\d\d\)\n   Excerpt: .*installation steps are as follows.*\n   Match location: content$`)
	if got, _ := Format(matches, total, api.MaxResult); !form.MatchString(got) {
		t.Errorf("%q", got)
	}
	many := make([]Match, 500)
	for i := range many {
		many[i] = m
	}
	got, n := Format(many, 900, 10_000)
	end := fmt.Sprintf(
		"\n   Match location: content\n\n%d more results don't fit into one answer. "+
			"Request fewer results or a more precise query.", 500-n)
	if len(got) > 10_000 || n < 50 || strings.Count(got, "docs://") != n || !strings.HasSuffix(got, end) {
		t.Errorf("%d of 500 in %d bytes: …%q", n, len(got), got[len(got)-200:])
	}
}

type away struct{ markup.InProcess }

func (away) Parse(_ context.Context, name string, data []byte) markup.Document {
	d := markup.AsText(name, data)
	d.Again = true
	return d
}

func TestReadAgain(t *testing.T) {
	f := Open(folder(t, map[string]string{"a.md": "---\ntitle: Title\n---\ntext\n"}).policy, away{})
	for _, want := range []string{"---", "Title"} {
		scan(t, f)
		wantEqual(t, f.List()[0].Title, want, "title")
		f.reader = markup.InProcess{}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual reports the differences of got from want. The format names got.
func wantEqual[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-want +got)\n%s", fmt.Sprintf(format, args...), d)
	}
}
