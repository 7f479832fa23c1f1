package text

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
)

func testIndex(tb testing.TB, rows ...api.Chunk) *Index {
	tb.Helper()
	x, err := Open(tb.Context(), tb.TempDir())
	must(tb, err)
	tb.Cleanup(func() { must(tb, x.Close()) })
	must(tb, x.Apply(tb.Context(), Change{Rows: rows}))
	return x
}

func row(path, text string, symbols ...string) api.Chunk {
	c := cut(path, text)[0]
	c.Text, c.Symbols = text, symbols
	c.Language = strings.TrimPrefix(path[strings.LastIndex(path, "."):], ".")
	return c
}

func cut(path, text string) []api.Chunk {
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	var out []api.Chunk
	line := 1
	for n := 0; len(text) > 0; n++ {
		end := min(1500, len(text))
		if i := strings.LastIndexByte(text[:end], '\n'); i > 0 {
			end = i + 1
		}
		part := text[:end]
		text = text[end:]
		lines := strings.Count(part, "\n")
		out = append(out, api.Chunk{
			ID: api.ChunkID(path, hash, n), Path: path, Text: part, StartLine: line, EndLine: line + max(0, lines-1),
			ContentHash: hash, Ordinal: n, Language: "go",
		})
		line += lines
	}
	return out
}

func find(tb testing.TB, x *Index, q Query) (paths []string) {
	tb.Helper()
	if q.K == 0 {
		q.K = 10
	}
	hits, err := x.Search(tb.Context(), q, nil)
	must(tb, err)
	for _, h := range hits {
		paths = append(paths, h.Path)
	}
	return paths
}

func TestSearch(t *testing.T) {
	x := testIndex(t,
		row("src/config/loader.go", "func LoadConfig reads the file\nand returns  its Values", "LoadConfig"),
		row("src/use.go", "x := LoadConfig(path) // and then more text about something else entirely"),
		row("src/net/http.py", "class HTTPServer: handles timeouts of connections", "HTTPServer"),
		row("docs/guide.md", "How to load a configuration from a file"),
		row("src/日本.go", "検索エンジンを作る"),
	)
	for _, tc := range []struct {
		name string
		q    Query
		want []string
	}{
		{"definition first", Query{Terms: Terms("LoadConfig")},
			[]string{"src/config/loader.go", "src/use.go", "docs/guide.md"}},
		{"another spelling", Query{Terms: Terms("load_config"), K: 2}, []string{"src/config/loader.go", "src/use.go"}},
		{"a part of an acronym", Query{Terms: Terms("http server")}, []string{"src/net/http.py"}},
		{"plural", Query{Terms: Terms("timeout connection")}, []string{"src/net/http.py"}},
		{"file name", Query{Terms: Terms("guide")}, []string{"docs/guide.md"}},
		{"Japanese", Query{Terms: Terms("エンジン")}, []string{"src/日本.go"}},
		{"glob", Query{Terms: Terms("load"), Filter: func(p string) bool { return strings.HasPrefix(p, "docs/") }},
			[]string{"docs/guide.md"}},
		{"language", Query{Terms: Terms("load"), Language: "md"}, []string{"docs/guide.md"}},
		{"filter", Query{Terms: Terms("load"), Filter: func(p string) bool { return p == "src/use.go" }},
			[]string{"src/use.go"}},
		{"no beginning of a word", Query{Terms: Terms("configur")}, nil},
		{"misspelt by two", Query{Terms: Terms("cofigurtion"), Fuzzy: true}, []string{"docs/guide.md"}},
		{"misspelt by two, too short for it", Query{Terms: Terms("gidu"), Fuzzy: true}, nil},
		{"two letters swapped", Query{Terms: Terms("configuratoin"), Fuzzy: true}, []string{"docs/guide.md"}},
		{"one hit", Query{Terms: Terms("load config"), K: 1}, []string{"src/config/loader.go"}},
		{"stop words only", Query{Terms: Terms("the of and")}, nil},
		{"nothing", Query{Terms: Terms("")}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, find(t, x, tc.q)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	hits, err := x.Search(t.Context(), Query{Terms: Terms("LoadConfig zebra file"), K: 1}, nil)
	if err != nil || len(hits) != 1 {
		t.Fatal(hits, err)
	}
	h := hits[0]
	if !h.Matched.Has(0) || h.Matched.Has(1) || !h.Matched.Has(2) || h.Start != 1 ||
		h.Language != "go" || h.Score <= 0 {
		t.Errorf("hit %+v", h)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Apply(ctx, Change{Rows: []api.Chunk{row("n.go", "n")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSearchSegments(t *testing.T) {
	var rows []api.Chunk
	for i := range 30 {
		rows = append(rows, row(fmt.Sprintf("f%02d.go", i), strings.Repeat("alpha ", 1+i%7)+strings.Repeat("beta ", i%5)))
	}
	one, several := testIndex(t, rows...), testIndex(t)
	for part := range slices.Chunk(rows, 5) {
		must(t, several.Apply(t.Context(), Change{Rows: part}))
	}
	q := Query{Terms: Terms("beta alpha"), K: 12}
	if d := cmp.Diff(find(t, one, q), find(t, several, q)); d != "" {
		t.Errorf("-one +several:\n%s", d)
	}
}

// A file with many words is written in several batches, and a large declaration forms several units.
func TestLargeFile(t *testing.T) {
	var text strings.Builder
	for i := range 2 * fileTokens {
		fmt.Fprintf(&text, "w%d\n", i)
	}
	rows := cut("a.go", text.String())
	for i := range rows {
		rows[i].Decls = []api.Decl{{Name: "Words", Kind: "value", Start: 1, Line: 1, End: 2 * fileTokens}}
	}
	x := testIndex(t, rows...)
	r, err := x.reader()
	must(t, err)
	defer r.Close()
	if got := find(t, x, Query{Terms: Terms("w7 w65535")}); len(got) != 2 || len(r.Segments()) < 2 {
		t.Errorf("%d units in %d segments", len(got), len(r.Segments()))
	}
}

// The caller gets the replacements of misspelt words, but not of correct words or of words that match a related word.
func TestCorrected(t *testing.T) {
	x := testIndex(t, row("a.go", "func loadSession(configuration string)"), row("b.go", "sessions, versions"))
	got := map[string][]string{}
	find(t, x, Query{Terms: Terms("lodSesion configuring version sesion"), Fuzzy: true,
		Corrected: func(word, instead string) { got[word] = append(got[word], instead) }})
	want := map[string][]string{"lodsesion": {"loadsession"}, "sesion": {"session"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	clear(got)
	known := func(token string) bool { return token == "sesion" }
	find(t, x, Query{Terms: Terms("sesion versiom"), Fuzzy: true, Known: known,
		Corrected: func(word, instead string) { got[word] = append(got[word], instead) }})
	if d := cmp.Diff(map[string][]string{"versiom": {"version"}}, got); d != "" {
		t.Errorf("of a known word, -want +got:\n%s", d)
	}
}

// A query of any length and content is answered.
func TestSearchUnusualQueries(t *testing.T) {
	x := testIndex(t, row("a.go", "alpha beta"))
	for _, q := range []string{strings.Repeat("word ", 20_000), strings.Repeat("x", 100_000), "\x00\xff", "***",
		"a:b^9~", strings.Repeat("字", 5000)} {
		find(t, x, Query{Terms: Terms(q), Fuzzy: true})
	}
}

func TestApply(t *testing.T) {
	var rows []api.Chunk
	for i := range 700 {
		rows = append(rows, cut(fmt.Sprintf("f%03d.go", i/2), fmt.Sprintf("word%d", i))...)
	}
	x := testIndex(t, rows...)
	got, err := x.Chunks(t.Context(), []string{rows[3].ID, rows[699].ID, "no such id"})
	must(t, err)
	if d := cmp.Diff(map[string]api.Chunk{rows[3].ID: rows[3], rows[699].ID: rows[699]}, got); d != "" {
		t.Errorf("chunks (-want +got):\n%s", d)
	}
	keys, err := x.KeysOf(t.Context(), []string{"f001.go", "f002.go", "f00.go"})
	if err != nil || len(keys) != 8 {
		t.Fatalf("keys %v, %v", keys, err)
	}
	again, err := x.KeysOf(t.Context(), []string{"f003.go"})
	must(t, err)
	change := Change{Delete: append(keys, again...), Rows: rows[6:8], Markers: []Key{{Path: "empty.go", Hash: "h"}}}
	must(t, x.Apply(t.Context(), change))
	all := map[string]int{}
	must(t, x.Keys(t.Context(), func(k Key) { all[k.Path]++ }))
	if all["f001.go"] != 0 || all["f003.go"] != 4 || all["empty.go"] != 1 || len(all) != 349 {
		t.Errorf("%d paths, %d of f003.go", len(all), all["f003.go"])
	}
	if paths := find(t, x, Query{Terms: Terms("empty")}); len(paths) != 0 {
		t.Errorf("a marker was found: %v", paths)
	}
}

func TestSplit(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for _, sizes := range [][]int{{}, {1}, {5}, {1, 1, 1, 1, 1}, {9, 1, 1}, {1, 1, 9}, {3, 3, 3, 3}} {
			var rows []api.Chunk
			for i, size := range sizes {
				rows = append(rows, slices.Repeat([]api.Chunk{{Path: fmt.Sprint(i)}}, size)...)
			}
			groups, seen, total := split(rows, n), map[string]bool{}, 0
			for _, file := range slices.Concat(groups...) {
				total += len(file)
				if p := file[0].Path; seen[p] || file[len(file)-1].Path != p {
					t.Errorf("%v in %d: file %s is in two groups", sizes, n, p)
				}
				seen[file[0].Path] = true
			}
			if total != len(rows) || len(groups) > n {
				t.Errorf("%v in %d: %d groups of %d rows", sizes, n, len(groups), total)
			}
		}
	}
}

func TestSearchWhileWriting(t *testing.T) {
	x := testIndex(t, row("a.go", "stable word"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				hits, err := x.Search(t.Context(), Query{Terms: Terms("stable"), K: 5}, nil)
				if err != nil || len(hits) != 1 {
					t.Errorf("%d hits, %v", len(hits), err)
					return
				}
			}
		})
	}
	for i := range 20 {
		r := row("b.go", fmt.Sprintf("other%d text", i))
		must(t, x.Apply(ctx, Change{Rows: []api.Chunk{r}}))
		must(t, x.Apply(ctx, Change{Delete: []Key{KeyOf(r)}}))
	}
	cancel()
	wg.Wait()
}

// A file's outline is returned by id, but found by no word.
func TestOutlineIsStoredOnly(t *testing.T) {
	outline := row("a.go", "keeps a cart")
	outline.StartLine, outline.EndLine = 0, 0
	x := testIndex(t, outline, row("b.go", "a cart"))
	if got := find(t, x, Query{Terms: Terms("cart")}); !cmp.Equal(got, []string{"b.go"}) {
		t.Errorf("found %v", got)
	}
	kept, err := x.Chunks(t.Context(), []string{outline.ID})
	if err != nil || kept[outline.ID].Text != outline.Text {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// must fails the test if err is not nil.
func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
