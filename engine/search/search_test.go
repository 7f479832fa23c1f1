package search

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// project is a Reader over a real text index, with the test's vectors.
type project struct {
	index   *text.Index
	chunks  map[string]api.Chunk
	vectors []store.VectorHit
}

func newProject(t *testing.T, chunks ...api.Chunk) *project {
	t.Helper()
	x, err := text.Open(t.Context(), filepath.Join(t.TempDir(), "text"))
	must(t, err)
	t.Cleanup(func() { must(t, x.Close()) })
	must(t, x.Apply(t.Context(), text.Change{Rows: chunks}))
	p := &project{index: x, chunks: map[string]api.Chunk{}}
	for _, c := range chunks {
		p.chunks[c.ID] = c
	}
	return p
}

func (p *project) Text(ctx context.Context, _ api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	return p.index.Search(ctx, q, nil)
}

func (p *project) Nearest(_ context.Context, _ api.Corpus, _ api.Vector, _ int, f store.Filter) ([]store.VectorHit,
	error) {
	return slices.DeleteFunc(slices.Clone(p.vectors),
		func(h store.VectorHit) bool { return f.Paths != nil && !f.Paths(h.Path) }), nil
}

func (p *project) Chunks(_ context.Context, _ api.Corpus, ids []string) (map[string]api.Chunk, error) {
	out := map[string]api.Chunk{}
	for _, id := range ids {
		if c, ok := p.chunks[id]; ok {
			out[id] = c
		}
	}
	return out, nil
}

type embedder struct{ err error }

func (e embedder) Query(context.Context, string) (api.Vector, error) { return api.Vector{}, e.err }

var serial int

// chunkOf returns a chunk with the declaration of its first symbol.
func chunkOf(path string, start int, body string, symbols ...string) api.Chunk {
	serial++
	var decls []api.Decl
	for _, s := range symbols[:min(1, len(symbols))] {
		signature, _, _ := strings.Cut(body, "{")
		kind := "function"
		for _, k := range typeKinds {
			if strings.Contains(body, k+" "+s) {
				kind = k
			}
		}
		decls = append(decls, api.Decl{Name: s, Kind: kind, Start: start, Line: start,
			End: start + strings.Count(body, "\n"), Signature: strings.TrimSpace(signature)})
	}
	hash := fmt.Sprintf("%016x%048x", serial, 0)
	return api.Chunk{
		ID: api.ChunkID(path, hash, 0), Path: path, Text: body, StartLine: start,
		EndLine: start + strings.Count(body, "\n"), ContentHash: hash,
		Language: strings.TrimPrefix(filepath.Ext(path), "."),
		Symbols:  symbols,
		Decls:    decls,
	}
}

func near(c api.Chunk, cosine float64) store.VectorHit {
	return store.VectorHit{ID: c.ID, Path: c.Path, StartLine: c.StartLine, EndLine: c.EndLine, Score: cosine}
}

func ask(t *testing.T, p *project, q api.Query, change ...func(*Request)) api.Results {
	t.Helper()
	if q.TopK == 0 {
		q.TopK = 10
	}
	req := Request{Query: q, Allowed: func(string) bool { return true }, Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&req)
	}
	ranked, err := Rank(t.Context(), p, req)
	must(t, err)
	r := ranked.Results(true)
	answer.Shape(&r, req.Query)
	return r
}

func paths(r api.Results) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.Path)
	}
	return out
}

func shop(t *testing.T) *project {
	return newProject(t,
		chunkOf("src/cart.go", 1, "// Cart holds what a customer wants to buy.\ntype Cart struct {\n\titems []Item\n}",
			"Cart"),
		chunkOf("src/cart.go", 6, "func (c *Cart) AddItem(i Item) {\n\tc.items = append(c.items, i)\n}", "AddItem"),
		chunkOf("src/order.go", 1, "func placeOrder(c Cart) error {\n\tfor range c.items { c.AddItem(x); c.AddItem(y); "+
			"c.AddItem(z) }\n}", "placeOrder"),
		chunkOf("src/cart_test.go", 1, "func TestAddItem(t *testing.T) {\n\tvar c Cart\n\tc.AddItem(Item{})\n}",
			"TestAddItem"),
		chunkOf("src/payment/throttle.go", 1, "// limits how many payments run at the same time\nfunc limit(n int) {}",
			"limit"),
		chunkOf("src/errors.go", 1, "var errEmpty = errors.New(\"the cart is empty, nothing to order\")", "errEmpty"),
		chunkOf("web/app.js", 1, "export const DEFAULT_TIMEOUT = 3000\nfetch(url, {timeout: DEFAULT_TIMEOUT})"),
	)
}

func TestRunOrder(t *testing.T) {
	p := shop(t)
	for _, tc := range []struct {
		query, first string
	}{
		{"AddItem", "src/cart.go"},           // definition before a use with more occurrences
		{"Cart.AddItem", "src/cart.go"},      // qualified
		{"add_item", "src/cart.go"},          // another spelling
		{"AdItem", "src/cart.go"},            // misspelt
		{"cart_test.go", "src/cart_test.go"}, // a path, though a test
		{"src/payment/throttle", "src/payment/throttle.go"},
		{"the cart is empty, nothing to order", "src/errors.go"},
		{"test that an item can be added", "src/cart_test.go"}, // asks for tests
		{"limiting payments", "src/payment/throttle.go"},
		{"DEFAULT_TIMEOUT", "web/app.js"},
	} {
		r := ask(t, p, api.Query{Text: tc.query})
		if got := paths(r); len(got) == 0 || got[0] != tc.first {
			t.Errorf("%q: %v, want %s first", tc.query, got, tc.first)
		}
		for i, h := range r.Hits {
			if h.Score < 0 || h.Score > 1 || i > 0 && h.Score > r.Hits[i-1].Score {
				t.Errorf("%q: score %v at rank %d", tc.query, h.Score, i)
			}
		}
	}
}

// A path with a line finds the declaration around the line, also if the path has another root.
func TestPathWithLine(t *testing.T) {
	p := shop(t)
	for query, start := range map[string]int{"src/cart.go:7": 6, "src/cart.go:2:1": 1, "/app/src/cart.go(8)": 6,
		"cart.go:7": 6} {
		r := ask(t, p, api.Query{Text: query})
		if len(r.Hits) == 0 || r.Hits[0].Path != "src/cart.go" || r.Hits[0].StartLine != start || r.Hits[0].Score < 0.9 {
			t.Errorf("%s: %+v", query, r.Hits)
		}
	}
}

// A bare name finds its definition before a file of its name that defines something else.
func TestBareName(t *testing.T) {
	p := newProject(t,
		chunkOf("page.go", 1, "type pages []*node", "pages"),
		chunkOf("inspect/print.go", 1, "type Page struct {\n\tid int\n}", "Page"),
	)
	if r := ask(t, p, api.Query{Text: "Page"}); paths(r)[0] != "inspect/print.go" {
		t.Errorf("Page: %v", paths(r))
	}
}

// A flag, a route and other words with signs are found literally, before texts with their words. A path finds its file
// first.
func TestLiteral(t *testing.T) {
	p := newProject(t,
		chunkOf("cli/util.py", 1, "def run(cmd):\n    return run", "run"),
		chunkOf("cli/util.py", 4, "def dry(run):\n    return dry", "dry"),
		chunkOf("cli/main.py", 3, "def main():\n    parser.add('--dry-run')", "main"),
		chunkOf("api/users.ts", 1, "class Users { v1() { return api.users.id } }", "Users"),
		chunkOf("api/routes.ts", 1, "const routes = { show: '/api/v1/users/:id' }", "routes"),
		chunkOf("keep.py", 1, "def keep(going):\n    return going", "keep"),
		chunkOf("cli/args.py", 1, "def args():\n    parser.add('--keep-going')", "args"),
		chunkOf("pool.py", 1, "class Pool:\n  def db(self, pool, max, size): pass", "Pool", "db"),
		chunkOf("cfg.py", 1, "X = 'db.pool.max-size'", "X"),
		chunkOf("web/app.ts", 1, "import { Users } from '/api/users.ts'"),
	)
	for query, want := range map[string]string{"--dry-run": "cli/main.py", "/api/v1/users/:id": "api/routes.ts",
		"'/api/v1/users/:id'": "api/routes.ts", "/api/users.ts": "api/users.ts",
		"--keep-going": "cli/args.py", "db.pool.max-size": "cfg.py", "api/users.ts": "api/users.ts"} {
		if r := ask(t, p, api.Query{Text: query}); paths(r)[0] != want {
			t.Errorf("%s: %v", query, paths(r))
		}
	}
}

// Tests inside the tested file are tests.
func TestInlineTests(t *testing.T) {
	tests := chunkOf("poll.rs", 40, "fn detects_changed_bytes() { detects_changed_bytes_of(bytes) }",
		"detects_changed_bytes")
	tests.Decls[0].Scope = []string{"tests"}
	p := newProject(t, tests, chunkOf("poll.rs", 9, "fn compare(a: Data) -> bool { detects(changed, bytes) }", "compare"))
	if r := ask(t, p, api.Query{Text: "where are changed bytes detected"}); r.Hits[0].StartLine != 9 {
		t.Errorf("line %d", r.Hits[0].StartLine)
	}
	if r := ask(t, p, api.Query{Text: "the test of changed bytes detected"}); r.Hits[0].StartLine != 40 {
		t.Errorf("asked for the test: line %d", r.Hits[0].StartLine)
	}
}

// A bare name prefers a type to a function of that name. In a sentence, a type ranks no higher than code that uses it.
func TestTypeAmongWords(t *testing.T) {
	class := chunkOf("render.py", 1, "class MarkdownRenderer(Base):\n  NAME = 'markdown'", "MarkdownRenderer")
	for query, want := range map[string]float64{"MarkdownRenderer": typeFactor, "how MarkdownRenderer fences": 1} {
		q := parseQuery(api.Query{Text: query})
		c := &candidate{path: class.Path, Passage: answer.Passage{Unit: text.Units(class)[0]}}
		if got, _ := q.defines(c); got != want {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
}

// A word that only a test contains is found there, and noted if tests are excluded.
func TestUsesOnlyInTests(t *testing.T) {
	p := shop(t)
	if r := ask(t, p, api.Query{Text: "TestAddItem"}); len(r.Hits) == 0 || r.Hits[0].Path != "src/cart_test.go" {
		t.Errorf("%v", paths(r))
	}
	without := false
	r := ask(t, p, api.Query{Text: "TestAddItem", IncludeTests: &without})
	if !r.InTests || len(r.Notes) != 1 || r.Notes[0] != "Only in tests: src/cart_test.go:1." {
		t.Errorf("%v, notes %q", paths(r), r.Notes)
	}
	// Other words of the query, or parts of the name, may be in other files.
	r = ask(t, p, api.Query{Text: "TestAddItem cart", IncludeTests: &without})
	if len(r.Hits) == 0 || len(r.Notes) != 1 || r.Notes[0] != "Only in tests: src/cart_test.go:1." {
		t.Errorf("%v, notes %q", paths(r), r.Notes)
	}
	if r = ask(t, p, api.Query{Text: "cart", IncludeTests: &without}); len(r.Notes) > 0 {
		t.Errorf("notes %q", r.Notes)
	}
}

// If tests are excluded, other code is found even if many tests match better.
func TestWithoutTests(t *testing.T) {
	chunks := []api.Chunk{chunkOf("src/cart.go", 1,
		"// the cart, among many other things that are said here, has a needle")}
	for i := range 2 * maxCandidates {
		chunks = append(chunks, chunkOf(fmt.Sprintf("test/%d_test.go", i), 1, fmt.Sprintf("needle %d", i)))
	}
	no := false
	got := paths(ask(t, newProject(t, chunks...), api.Query{Text: "needle", IncludeTests: &no}))
	if !slices.Equal(got, []string{"src/cart.go"}) {
		t.Errorf("found %v", got)
	}
}

func TestRunArguments(t *testing.T) {
	p := shop(t)
	no, yes := false, true
	if got := paths(ask(t, p, api.Query{Text: "AddItem", IncludeTests: &no})); slices.Contains(got, "src/cart_test.go") {
		t.Errorf("tests left out: %v", got)
	}
	with, without := ask(t, p, api.Query{Text: "AddItem Cart", IncludeTests: &yes}),
		ask(t, p, api.Query{Text: "AddItem Cart"})
	rank := func(r api.Results) int { return slices.Index(paths(r), "src/cart_test.go") }
	if rank(with) < 0 || rank(without) >= 0 && rank(with) > rank(without) { // the result may be too weak to be shown
		t.Errorf("test file at %d with tests, at %d without", rank(with), rank(without))
	}
	if got := paths(ask(t, p, api.Query{Text: "cart", PathGlob: "src/o*.go"})); !slices.Equal(got,
		[]string{"src/order.go"}) {
		t.Errorf("glob: %v", got)
	}
	if got := paths(ask(t, p, api.Query{Text: "timeout", PathGlob: "*.js"})); !slices.Equal(got, []string{"web/app.js"}) {
		t.Errorf("glob at any depth: %v", got)
	}
	if got := paths(ask(t, p, api.Query{Text: "limit cart", PathGlob: "./src/payment/"})); !slices.Equal(got,
		[]string{"src/payment/throttle.go"}) {
		t.Errorf("a folder: %v", got)
	}
	_, err := Rank(t.Context(), p, Request{Query: api.Query{Text: "cart", PathGlob: "[", TopK: 1},
		Allowed: func(string) bool { return true }})
	if api.CodeOf(err) != api.InvalidPattern {
		t.Errorf("bad glob: %v", err)
	}
	if got := paths(ask(t, p, api.Query{Text: "timeout", Language: "js"})); !slices.Equal(got, []string{"web/app.js"}) {
		t.Errorf("language: %v", got)
	}
	all := ask(t, p, api.Query{Text: "cart item", TopK: api.MaxTopK})
	page := ask(t, p, api.Query{Text: "cart item", Offset: 1, TopK: 1})
	if len(page.Hits) != 1 || page.Hits[0].Path != all.Hits[1].Path || page.Total != all.Total || !page.Truncated ||
		all.Truncated {
		t.Errorf("page %v of %v, %+v", paths(page), paths(all), page)
	}
	denied := ask(t, p, api.Query{Text: "cart"},
		func(r *Request) { r.Allowed = func(p string) bool { return p == "src/order.go" } })
	if got := paths(denied); !slices.Equal(got, []string{"src/order.go"}) {
		t.Errorf("allowed: %v", got)
	}
	if r := ask(t, p, api.Query{Text: "zebra"}); len(r.Hits) != 0 || r.Total != 0 || r.Truncated {
		t.Errorf("nothing: %+v", r)
	}
}

// Pages of whole declarations don't overlap, and the last page reports that more candidates were found.
func TestPages(t *testing.T) {
	two := chunkOf("a.go", 1, "func wombat() {\n\tdig()\n}\n\nfunc wombats() {\n\tsleep()\n}")
	for i, name := range []string{"wombat", "wombats"} {
		two.Decls = append(two.Decls, api.Decl{Name: name, Kind: "function", Start: 1 + 4*i, Line: 1 + 4*i, End: 3 + 4*i,
			Signature: "func " + name + "()"})
	}
	p := newProject(t, two)
	first := ask(t, p, api.Query{Text: "wombat", Detail: api.DetailFull, TopK: 1})
	second := ask(t, p, api.Query{Text: "wombat", Detail: api.DetailFull, TopK: 1, Offset: 1})
	if len(first.Hits) != 1 || len(second.Hits) != 1 || first.Hits[0].Text != "func wombat() {\n\tdig()\n}" ||
		!strings.HasPrefix(second.Hits[0].Text, "func wombats() {\n") || len(second.Notes) != 0 {
		t.Errorf("%+v\n%+v", first.Hits, second.Hits)
	}
	var many []api.Chunk
	for i := range maxRescored + 1 {
		many = append(many, chunkOf(fmt.Sprintf("f%d.go", i), 1, fmt.Sprintf("func wombat%d() { wombat() }", i), "f"))
	}
	p = newProject(t, many...)
	for offset, want := range map[int]int{0: 0, maxRescored - 5: 1} {
		if r := ask(t, p, api.Query{Text: "wombat", Offset: offset}); len(r.Notes) != want {
			t.Errorf("at %d: %d results, notes %q", offset, len(r.Hits), r.Notes)
		}
	}
}

// An explanation's values add up to the score, for all results.
func TestExplainAddsUp(t *testing.T) {
	p := shop(t)
	for _, c := range p.chunks {
		p.vectors = append(p.vectors, near(c, 0.3))
	}
	slices.SortFunc(p.vectors, func(a, b store.VectorHit) int { return strings.Compare(a.ID, b.ID) })
	for _, query := range []string{"cart item", "AddItem", "how are items added to a cart"} {
		r := ask(t, p, api.Query{Text: query, Explain: true}, func(r *Request) { r.Embedder, r.Coverage = embedder{}, 1 })
		if len(r.Hits) == 0 || !r.Semantic {
			t.Fatalf("%q: %+v", query, r)
		}
		for _, h := range r.Hits {
			sum := 0.0
			for _, f := range h.Explain {
				sum += f.Value
			}
			if math.Abs(sum-h.Score) > 1e-9 {
				t.Errorf("%q, %s: factors add up to %v, score %v: %v", query, h.Path, sum, h.Score, h.Explain)
			}
		}
	}
}

// If some chunks have vectors, they add results to those of words.
func TestHalfBuilt(t *testing.T) {
	p := shop(t)
	for _, c := range p.chunks {
		if c.Path == "src/payment/throttle.go" {
			p.vectors = []store.VectorHit{near(c, 0.7)}
		}
	}
	query := api.Query{Text: "concurrency"}
	some := ask(t, p, query, func(r *Request) { r.Embedder, r.Coverage = embedder{}, 0.1 })
	if got := paths(some); !some.Semantic || !slices.Equal(got, []string{"src/payment/throttle.go"}) {
		t.Errorf("by meaning: %v, semantic %v", got, some.Semantic)
	}
	none := ask(t, p, api.Query{Text: "cart"}, func(r *Request) { r.Embedder = embedder{} })
	if none.Semantic || len(none.Hits) == 0 || len(none.Notes) != 0 {
		t.Errorf("no vectors yet: %+v", none)
	}
}

// A file's comments raise its chunks, while the outline itself is not a result.
func TestOutlineLiftsFile(t *testing.T) {
	about := chunkOf("src/payment/throttle.go", 0, "limits how many payments run")
	about.EndLine = 0
	p := newProject(t, about,
		chunkOf("src/order.go", 1, "func send() {\n\tpay()\n}", "send"),
		chunkOf("src/payment/throttle.go", 1, "func acquire() {\n\tpay()\n}", "acquire"))
	for _, c := range p.chunks {
		p.vectors = append(p.vectors, near(c, 0.4))
	}
	query := func() []string {
		return paths(ask(t, p, api.Query{Text: "where do we pay", Explain: true},
			func(r *Request) { r.Embedder, r.Coverage = embedder{}, 1 }))
	}
	for i := range p.vectors {
		if p.vectors[i].EndLine == 0 {
			p.vectors[i].Score = 0.1
		}
	}
	if got := query(); !slices.Equal(got, []string{"src/order.go", "src/payment/throttle.go"}) {
		t.Fatalf("without: %v", got)
	}
	for i := range p.vectors {
		if p.vectors[i].EndLine == 0 {
			p.vectors[i].Score = 0.7
		}
	}
	if got := query(); !slices.Equal(got, []string{"src/payment/throttle.go", "src/order.go"}) {
		t.Errorf("with: %v", got)
	}
}

// A file whose path is in the query is not demoted by its role.
func TestPathOfLowered(t *testing.T) {
	p := newProject(t,
		chunkOf("src/cart.go", 1, "// see cart.h\ntype cart struct{}", "cart"),
		chunkOf("include/cart.h", 1, "struct cart;", "cart"))
	for query, want := range map[string]string{"cart.h": "include/cart.h", "include/cart": "include/cart.h",
		"cart": "src/cart.go"} {
		if got := paths(ask(t, p, api.Query{Text: query})); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %v, want %s first", query, got, want)
		}
	}
}

// slow is a model with a delay, like a model that has to be loaded.
type slow time.Duration

func (s slow) Query(ctx context.Context, _ string) (api.Vector, error) {
	select {
	case <-time.After(time.Duration(s)):
		return api.Vector{}, nil
	case <-ctx.Done():
		return api.Vector{}, context.Cause(ctx)
	}
}

// A search waits for a model that is loading, but not forever.
func TestModelIsWaitedFor(t *testing.T) {
	p := shop(t)
	for _, test := range []struct {
		model    Embedder
		semantic bool
		took     time.Duration
		note     string
	}{
		{slow(time.Second), true, time.Second, ""},
		{slow(time.Hour), false, vectorTimeout, "Searched by words only: the model is still loading."},
		{embedder{errors.New("no model")}, false, 0,
			"Searched by words only: search by meaning isn't available right now."},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			r := ask(t, p, api.Query{Text: "cart"}, func(q *Request) { q.Embedder, q.Coverage = test.model, 1 })
			if took := time.Since(began); r.Semantic != test.semantic || took != test.took ||
				strings.Join(r.Notes, "") != test.note || len(r.Hits) == 0 {
				t.Errorf("%T: semantic %v after %v with %d hits, notes %q", test.model, r.Semantic, took, len(r.Hits), r.Notes)
			}
		})
	}
}

func TestAnalyse(t *testing.T) {
	for query, want := range map[string]queryKind{
		"how are sessions stored":                  sentence,
		"throttle":                                 symbol,
		"RouteContext":                             symbol,
		"Session::close()":                         symbol,
		"os.path.join":                             symbol,
		"SizeHint DecodedLength":                   symbol,
		"middleware/throttle.go":                   filePath,
		"main.rs":                                  filePath,
		"GetReqID where does the id come from":     mixed,
		"raise_for_status for 4xx":                 mixed,
		"connection refused: no route":             mixed,
		"Invalid URL '%s'":                         mixed,
		"how does it report \"file not found\"":    sentence,
		"TypeError: x is not a function":           mixed,
		"cannot open file":                         mixed,
		"where do we read the config?":             sentence,
		"what does http://example.com/a stand for": sentence,
	} {
		if got := parseQuery(api.Query{Text: query}).kind; got != want {
			t.Errorf("%q is a %s, want %s", query, kindNames[got], kindNames[want])
		}
	}
}

func FuzzRun(f *testing.F) {
	for _, s := range []string{"cart", "Cart.AddItem", "a/b.go", "\"x\": %s", "日本語", "...", "__", "how",
		strings.Repeat("a ", 300), strings.Repeat("(\n", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		q := parseQuery(api.Query{Text: query})
		q.setWeights(nil)
		sum := 0.0
		for _, w := range q.words {
			sum += w.Weight
		}
		if len(q.words) > 0 && math.Abs(sum-1) > 1e-6 {
			t.Errorf("weights of %q add up to %v", query, sum)
		}
		c := &candidate{path: "src/cart.go",
			Passage: answer.Passage{Unit: text.Unit{Names: []string{"Cart", "", "::"}, Start: 1, End: 2,
				Decl: api.Decl{Name: "Cart", Line: 1}}}}
		if v, _ := q.defines(c); v < 0 || v > 1 {
			t.Errorf("definition %v", v)
		}
		if v := q.nameMatch("src/cart.go"); v < 0 || v > 1 {
			t.Errorf("name %v", v)
		}
	})
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
