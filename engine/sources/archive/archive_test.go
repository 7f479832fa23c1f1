package archive

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/markup"
)

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "research-archive")
	for name, text := range files {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func load(t testing.TB, db, dir string) api.ArchiveReport {
	t.Helper()
	r, err := Import(t.Context(), db, dir, markup.InProcess{}, nil)
	must(t, err)
	return r
}

func search(t testing.TB, db string, q api.ArchiveQuery) *api.ArchiveAnswer {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = api.DefaultArchiveLimit
	}
	if q.CitationDepth == 0 {
		q.CitationDepth = api.DefaultCitationDepth
	}
	var s Searcher
	r, err := s.Search(t.Context(), db, q)
	must(t, err)
	return r
}

func titles(r *api.ArchiveAnswer) []string {
	out := []string{}
	for _, d := range r.Results {
		out = append(out, d.Document.Title)
	}
	return out
}

var example = map[string]string{
	"2025-05-20/machine_learning_intro.md": `# Introduction to Machine Learning

Machine learning is a subset of artificial intelligence. For more information on ML algorithms, see [this resource](https://example.com/ml-algorithms).
`,
	"pages/ml-algorithms.html": `<!-- saved from url=(0033)https://example.com/ml-algorithms -->
<title>ML Algorithms, an overview</title><meta property="article:published_time" content="2024-11-02"><p>Decision trees and friends.</p>`,
}

func TestExample(t *testing.T) {
	dir := folder(t, example)
	db := filepath.Join(t.TempDir(), "search.db")
	load(t, db, dir)
	r := search(t, db, api.ArchiveQuery{Text: "machine learning", Fuzzy: true, IncludeCitations: true, Limit: 5})
	if len(r.Results) != 1 {
		t.Fatal(titles(r))
	}
	source, target := documentID(dir, "2025-05-20/machine_learning_intro.md"), documentID(dir, "pages/ml-algorithms.html")
	if s := r.Results[0].Document.Score; s <= 0 || s > 1 {
		t.Errorf("score %v", s)
	}
	r.Results[0].Document.Score = 0.95
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	must(t, e.Encode(r))
	file, err := json.Marshal(r.Results[0].Document.File)
	must(t, err)
	var want bytes.Buffer
	must(t, json.Compact(&want, []byte(strings.NewReplacer("doc-123", source, "doc-456", target, `"FILE"`,
		string(file)).Replace(`{
"results": [{
  "document": {"id": "doc-123", "title": "Introduction to Machine Learning",
    "path": "research-archive/2025-05-20/machine_learning_intro.md", "source": "research", "date": "2025-05-20",
    "score": 0.95, "file": "FILE"},
  "highlights": [
    {"field": "title", "snippets": ["Introduction to <mark>Machine Learning</mark>"]},
    {"field": "content", "snippets": ["<mark>Machine learning</mark> is a subset of artificial intelligence. For more information on ML algorithms, see this resource."]}],
  "citations": {
    "citing": [{"sourceId": "doc-123", "targetId": "doc-456", "targetUrl": "https://example.com/ml-algorithms",
      "context": "For more information on ML algorithms, see [this resource](https://example.com/ml-algorithms).",
      "confidence": 1, "targetTitle": "ML Algorithms, an overview"}],
    "cited": []}}],
"citationGraph": {
  "nodes": [{"id": "doc-123", "label": "Introduction to Machine Learning", "type": "source"},
    {"id": "doc-456", "label": "ML Algorithms, an overview", "type": "target"}],
  "edges": [{"from": "doc-123", "to": "doc-456", "confidence": 1}]},
"metadata": {"totalResults": 1, "query": "machine learning", "fuzzy": true, "includeCitations": true,
  "citationDepth": 1, "limit": 5}}
`))))
	wantEqual(t, strings.TrimSpace(got.String()), strings.TrimSpace(want.String()), "result")
	saved := search(t, db, api.ArchiveQuery{Text: "decision trees"}).Results[0].Document
	wantEqual(t, saved.Source, "url", "source")
	wantEqual(t, saved.Date, "2024-11-02", "date")
}

func TestFuzzy(t *testing.T) {
	db := filepath.Join(t.TempDir(), "a", "search.db")
	load(t, db, folder(t, map[string]string{
		"zh.md": "# 文档\n\n机器学习是人工智能的一个分支。", "a.md": "# Photosynthesis\n\nPlants turn light into sugar.",
		"b.md":  "# Gardening\n\nPlants, light and water. Photosynthetic bacteria.",
		"c.txt": "Café\nLes élèves étudient.", "d.md": "# Nothing\n\nof interest",
	}))
	for _, tt := range []struct {
		query string
		fuzzy bool
		want  []string
	}{
		{"photosynthesis", true, []string{"Photosynthesis"}},
		{"photosynthesis", false, []string{"Photosynthesis"}},
		{"photosynthsis", true, []string{"Photosynthesis"}},
		{"photosynthsis", false, nil}, {"photosynthsis gardning", false, nil}, {"plantss lihgt", false, nil},
		{`"photosynthsis gardning"`, false, nil},
		{"photosynth", true, []string{"Photosynthesis", "Gardening"}},
		{"photosynth", false, nil},
		{"plants light", false, []string{"Gardening", "Photosynthesis"}},
		{"cafe eleves", false, []string{"Café"}},
		{"机器学习", true, []string{"文档"}},
		{"人工智能", true, []string{"文档"}},
		{"light sugar unicorn", false, []string{"Photosynthesis", "Gardening"}},
		{`" OR * NOT ( AND : ^ - interest`, false, []string{"Nothing"}},
		{"", true, nil}, {"...", true, nil}, {"zzzzz", true, nil},
	} {
		r := search(t, db, api.ArchiveQuery{Text: tt.query, Fuzzy: tt.fuzzy})
		got := titles(r)
		slices.Sort(got)
		want := append([]string{}, tt.want...)
		slices.Sort(want)
		wantEqual(t, got, want, "%q fuzzy %v", tt.query, tt.fuzzy)
		if r.Metadata.TotalResults != len(r.Results) || r.CitationGraph != nil {
			t.Errorf("%q: %+v", tt.query, r.Metadata)
		}
		for i := range r.Results {
			if d := r.Results[i]; d.Document.Score < 0 || d.Document.Score > 1 || i > 0 &&
				d.Document.Score > r.Results[i-1].Document.Score || d.Citations != nil || len(d.Highlights) == 0 {
				t.Errorf("%q: %+v", tt.query, d)
			}
		}
	}
	wantEqual(t, len(search(t, db, api.ArchiveQuery{Text: "plants", Limit: 1}).Results), 1, "results")
	if h := search(t, db, api.ArchiveQuery{Text: "photosynthsis", Fuzzy: true}).Results[0].Highlights[0]; h.Field !=
		"title" || h.Snippets[0] != "<mark>Photosynthesis</mark>" {
		t.Errorf("%+v", h)
	}
}

func chain(t *testing.T) (db string, id func(string) string) {
	dir := folder(t, map[string]string{
		"a.md": "# Alpha unique\n\nSee [b](b.md) and [c](c.md). Also [c again](./c.md#part) and [self](a.md).",
		"b.md": "# Beta\n\n[c](c.md)", "c.md": "# Gamma\n\n[d](sub/d.md)",
		"sub/d.md": "# Delta\n\n[a](../a.md) and https://outside.example/x",
	})
	db = filepath.Join(t.TempDir(), "search.db")
	load(t, db, dir)
	return db, func(name string) string { return documentID(dir, name) }
}

func TestCitationDepth(t *testing.T) {
	db, id := chain(t)
	name := map[string]string{id("a.md"): "a", id("b.md"): "b", id("c.md"): "c", id("sub/d.md"): "d"}
	edges := func(list []api.Citation) []string {
		out := []string{}
		for _, c := range list {
			to := c.TargetURL
			if c.TargetID != nil {
				to = name[*c.TargetID]
			}
			out = append(out, name[c.SourceID]+">"+to)
		}
		return out
	}
	for depth, want := range map[int][2][]string{
		1: {{"a>b", "a>c"}, {"d>a"}},
		2: {{"a>b", "a>c", "b>c", "c>d"}, {"d>a", "c>d"}},
		3: {{"a>b", "a>c", "b>c", "c>d", "d>https://outside.example/x"}, {"d>a", "c>d", "b>c"}},
	} {
		r := search(t, db, api.ArchiveQuery{Text: "alpha unique", IncludeCitations: true, CitationDepth: depth})
		c := r.Results[0].Citations
		gotCited := edges(c.Cited)
		slices.Sort(gotCited)
		slices.Sort(want[1])
		wantEqual(t, [2][]string{edges(c.Citing), gotCited}, want, "depth %d", depth)
		seen := map[api.CitationEdge]bool{}
		nodes := map[string]bool{}
		for _, n := range r.CitationGraph.Nodes {
			if nodes[n.ID] {
				t.Errorf("node %s twice", n.ID)
			}
			nodes[n.ID] = true
		}
		for _, e := range r.CitationGraph.Edges {
			if seen[e] || !nodes[e.From] || !nodes[e.To] {
				t.Errorf("depth %d: edge %+v", depth, e)
			}
			seen[e] = true
		}
	}
	for _, c := range search(t, db, api.ArchiveQuery{Text: "alpha unique", IncludeCitations: true,
		CitationDepth: 3}).Results[0].Citations.Citing {
		wantEqual(t, c.Confidence,
			map[bool]float64{true: bareAddress, false: relative}[c.TargetID == nil], "%+v: confidence", c)
	}
}

func TestImportAgain(t *testing.T) {
	dir := folder(t, example)
	db := filepath.Join(t.TempDir(), "search.db")
	first := load(t, db, dir)
	if diff := cmp.Diff(api.ArchiveReport{Folder: dir, Archive: db, Documents: 2, Added: 2, Citations: 1, Resolved: 1},
		first); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(api.ArchiveReport{Folder: dir, Archive: db, Documents: 2, Unchanged: 2, Citations: 1, Resolved: 1},
		load(t, db, dir)); diff != "" {
		t.Error(diff)
	}
	other := folder(t,
		map[string]string{"notes.md": "# Notes\n\nOn [algorithms](http://www.example.com/ml-algorithms/#top)."})
	if r := load(t, db, other); r.Resolved != 1 || r.Documents != 1 {
		t.Errorf("%+v", r)
	}
	page := filepath.Join(dir, "pages", "ml-algorithms.html")
	must(t, os.Remove(page))
	must(t, os.WriteFile(filepath.Join(dir, "2025-05-20", "machine_learning_intro.md"),
		[]byte("# Changed title\n\nno link"), 0o600))
	if diff := cmp.Diff(api.ArchiveReport{Folder: dir, Archive: db, Documents: 1, Updated: 1, Removed: 1},
		load(t, db, dir)); diff != "" {
		t.Error(diff)
	}
	wantEqual(t, len(search(t, db, api.ArchiveQuery{Text: "introduction machine"}).Results),
		0, "the old text is found: results")
	r := search(t, db, api.ArchiveQuery{Text: "algorithms notes", IncludeCitations: true})
	if len(r.Results) != 1 || r.Results[0].Citations.Citing[0].TargetID != nil {
		t.Errorf("%+v", r.Results)
	}
	must(t, os.RemoveAll(dir))
	if _, err := Import(t.Context(), db, dir, markup.InProcess{}, nil); err == nil {
		t.Error("a missing folder was imported")
	}
	site := folder(t, map[string]string{
		"commands/install.md": "# Install\n\n[one](/commands/remove) [again](remove.md) [home](/) [part](#x) " +
			"[mail](mailto:a@b.example)",
		"commands/remove.md": "# Remove", "README.md": "# Home\n\n[up](../outside.md)",
	})
	if r := load(t, db, site); r.Citations != 2 || r.Resolved != 2 {
		t.Errorf("links without extensions: %+v", r)
	}
	wantEqual(t, len(search(t, db, api.ArchiveQuery{Text: "changed title"}).Results),
		1, "a missing folder emptied the archive")
}

func TestDescribeAndRemove(t *testing.T) {
	db := filepath.Join(t.TempDir(), "search.db")
	if info, err := Describe(t.Context(), db); err != nil || info.Exists || info.Documents != 0 || info.Folders == nil {
		t.Errorf("a missing archive: %+v %v", info, err)
	}
	notes := folder(t, map[string]string{"a.md": "# A\n\n[b](https://b.example/page) and [c](https://c.example/)."})
	pages := folder(t, map[string]string{
		"b.html": "<!-- saved from url=(0022)https://b.example/page --><title>B</title><p>Text.</p>",
		"c.html": "<!-- saved from url=(0018)https://c.example/ --><title>C</title><p>Text.</p>",
	})
	load(t, db, notes)
	load(t, db, pages)
	info, err := Describe(t.Context(), db)
	want := api.ArchiveInfo{Path: db, Exists: true, Documents: 3, Citations: 2, Resolved: 2, Bytes: info.Bytes,
		Folders: []api.ArchiveFolder{{Folder: notes, Documents: 1}, {Folder: pages, Documents: 2}}}
	slices.SortFunc(want.Folders, func(a, b api.ArchiveFolder) int { return strings.Compare(a.Folder, b.Folder) })
	if diff := cmp.Diff(want, info); diff != "" || err != nil || info.Bytes == 0 {
		t.Error(diff, err)
	}
	if n, err := Remove(t.Context(), db, "/nowhere"); n != 0 || err != nil {
		t.Error(n, err)
	}
	if n, err := Remove(t.Context(), db, pages); n != 2 || err != nil {
		t.Error(n, err)
	}
	if info, err := Describe(t.Context(), db); err != nil || info.Documents != 1 || info.Citations != 2 ||
		info.Resolved != 0 {
		t.Errorf("citations of an address stay: %+v %v", info, err)
	}
	wantEqual(t, len(search(t, db, api.ArchiveQuery{Text: "text"}).Results), 0, "removed documents are found: results")
	if n, err := Remove(t.Context(), db, notes); n != 1 || err != nil {
		t.Error(n, err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	must(t, os.WriteFile(other, bytes.Repeat([]byte("x"), 200), 0o600))
	if info, err := Describe(t.Context(), other); !errors.Is(err, ErrForeign) || !info.Exists {
		t.Error(info, err)
	}
	if _, err := Remove(t.Context(), other, notes); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
}

func TestUnmatchedWordsAreDropped(t *testing.T) {
	db := filepath.Join(t.TempDir(), "search.db")
	load(t, db, folder(t, map[string]string{"a.md": "# Elephants\n\nElephants are large."}))
	var s Searcher
	find := func(query string, want int) {
		t.Helper()
		r, err := s.Search(t.Context(), db, api.ArchiveQuery{Text: query, Fuzzy: true, Limit: 5, CitationDepth: 1})
		if err != nil || len(r.Results) != want {
			t.Errorf("%s: %v %v", query, r, err)
		}
	}
	find("elephnats", 1)
	s.Unload(s.used)
	wantEqual(t, s.words == nil, false, "given up although they were used since")
	s.Unload(s.used.Add(1))
	wantEqual(t, s.words == nil, true, "kept")
	find("elephnats", 1)
	must(t, os.Remove(db))
	load(t, db, folder(t, map[string]string{"a.md": "# Crocodiles\n\nCrocodiles are long."}))
	find("crocodlies", 1)
	find("elephnats", 0)
}

func TestUnusable(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, data, 0o600))
		return path
	}
	good := filepath.Join(dir, "good.db")
	load(t, good, folder(t, example))
	bytesOf := func(path string) []byte {
		b, err := os.ReadFile(path)
		must(t, err)
		return b
	}
	foreign := filepath.Join(dir, "foreign.db")
	db, err := sql.Open("sqlite", foreign)
	must(t, err)
	if _, err := db.Exec("CREATE TABLE documents (id); INSERT INTO documents VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	middle := bytes.Clone(bytesOf(good))
	for i := 4096; i < len(middle); i++ {
		middle[i] = byte(i * 7)
	}
	newer := bytes.Clone(bytesOf(good))
	newer[63] = 200
	wal := bytes.Clone(bytesOf(good))
	wal[18], wal[19] = 2, 2

	for _, tt := range []struct {
		path string
		want error
	}{
		{filepath.Join(dir, "none.db"), ErrMissing}, {foreign, ErrForeign}, {dir, ErrForeign},
		{write("text.db", bytes.Repeat([]byte("not a database "), 50)), ErrForeign},
		{write("empty.db", nil), ErrDamaged}, {write("short.db", bytesOf(good)[:50]), ErrDamaged},
		{write("middle.db", middle), nil},
		{write("cut.db", bytesOf(good)[:8192]), nil}, {write("newer.db", newer), ErrNewer},
		{write("wal.db", wal), ErrWAL},
	} {
		before := snapshot(t, dir)
		var s Searcher
		for _, fuzzy := range []bool{true, false} {
			_, err := s.Search(t.Context(), tt.path, api.ArchiveQuery{Text: "machine", Fuzzy: fuzzy, IncludeCitations: true,
				CitationDepth: 3, Limit: 10})
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%s: %v, want %v", filepath.Base(tt.path), err, tt.want)
			}
		}
		wantEqual(t, snapshot(t, dir), before, "%s: something was written", filepath.Base(tt.path))
		if errors.Is(tt.want, ErrForeign) && tt.path != dir {
			if _, err := Import(t.Context(), tt.path, folder(t, example), markup.InProcess{}, nil); !errors.Is(err, ErrForeign) {
				t.Errorf("import into %s: %v", filepath.Base(tt.path), err)
			}
			wantEqual(t, snapshot(t, dir), before, "import into %s changed it", filepath.Base(tt.path))
		}
	}
	before := snapshot(t, dir)
	search(t, good, api.ArchiveQuery{Text: "machine", Fuzzy: true, IncludeCitations: true})
	wantEqual(t, snapshot(t, dir), before, "a search wrote")
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(good); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(info.Mode(), err)
		}
	}
}

func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		out[e.Name()] = string(b)
	}
	return out
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search.db")
	load(t, path, folder(t, example))
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	var s Searcher
	if _, err := s.Search(t.Context(), path, api.ArchiveQuery{Text: "machine", Fuzzy: true, CitationDepth: 1,
		Limit: 10}); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Error(err)
	}
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Search(t.Context(), path, api.ArchiveQuery{Text: "machine", Fuzzy: true, CitationDepth: 1,
		Limit: 10}); err != nil {
		t.Error(err)
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
