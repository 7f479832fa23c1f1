package search

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

func TestPlaces(t *testing.T) {
	for path, want := range map[string]pathRole{
		"src/server.go": 0, "lib/contest.rb": 0, "src/latest.py": 0, "attest/verify.c": 0, "src/distance.go": 0,
		"lib/outside.lua": 0,
		"pkg/a_test.go":   isTest, "tests/unit/x.py": isTest, "src/a.spec.ts": isTest, "spec/models/a.rb": isTest,
		"src/FooTest.java": isTest, "test_x.py": isTest,
		"examples/a.rs": isExample, "_examples/todo/main.go": isExample,
		"third_party/zlib/a.c": isCopy, "api/a.pb.go": isCopy, "dist/app.js": isCopy,
		"static/app.min.js": isCopy, "static/app.js.map": isCopy,
		"AppTests/ViewTests.swift": isTest, "Core.Tests/Cart.cs": isTest, "src/commonTest/kotlin/A.kt": isTest,
		"src/TestRunner.java": isTest, "src/FooSpec.scala": isTest,
		"okhttp3/ConnectionSpec.kt": 0, "src/testimony.py": 0, "src/benchmarked.rs": 0, "lib/contestant.ex": 0,
		"test/a.bats": isTest, "src/a.test-d.ts": isTest,
		"src/CodeGen.hs": 0, "src/gen_server.erl": 0, "src/FrameworkBundle.php": 0, "lib/model.g.dart": isCopy,
		"src/build/plan.go": 0, "zz_generated.deepcopy.go": isCopy,
		"gradlew": isCopy, "build-logic/publish.gradle.kts": isData,
		"vite.config.ts": isData, "src/config.ts": 0, "setup.py": isData, ".github/workflows/check.py": isData,
		"src/locales/de.ts": isData,
		"docs/conf.py":      isProse, "src/Button.stories.tsx": isExample, "examplesite/a.go": 0, "src/demoApp.kt": isExample,
		"deps/zlib/a.c": isCopy,
		"ChangeLog":     isProse | isLog, "ChangeLog-2011": isProse | isLog, "NEWS.rst": isProse | isLog, "src/changes.go": 0,
		"lib/history.rb": 0, "README": isProse, "VACATION_README": isProse,
		"README-windows.txt":   isProse,
		"build-aux/install-sh": isCopy, "scripts/install": 0, "bin/configure-hooks": 0,
		"doc/tool.texi": isProse, "doc/tool.info-2": isProse, "src/features.py": 0, "gnulib/lib/regex.c": isCopy,
		"configure": isCopy, "configure.ac": isData, "cmd/configure.go": 0, "build-aux/ltmain.sh": isCopy,
		"src/Makefile.am": isData, "po/de.po": isData, "app/models/authors.rb": 0, "license.go": 0,
		"LICENSE.OpenSSL": isData, "COPYING.LIB": isData, "license": isData, "OWNERS": isData, "src/License.java": 0,
		"README.win32": isProse, "src/FAQ.tsx": 0, "lib/Changes.pm": 0,
		"package.json": isData, "LICENSE": isData, "docs/api.rst": isProse, "web/page.css": isData,
	} {
		if got := roleOf(path); got != want {
			t.Errorf("%s: %b, want %b", path, got, want)
		}
	}
}

// TestChangeLogs checks that change logs rank lower among documents, unless the query asks for changes or versions.
func TestChangeLogs(t *testing.T) {
	for query, want := range map[string]bool{"loop over files": true, "changes of Open": false, "last release": false} {
		words := wordsOf(divide(query), false)
		docs, _ := roleOf("CHANGELOG.md").factor(wantedRoles(words, api.Query{Corpus: api.CorpusDocs}))
		code, _ := roleOf("CHANGELOG.md").factor(wantedRoles(words, api.Query{Corpus: api.CorpusCode}))
		if docs < 1 != want || code != 0.4 && want {
			t.Errorf("%s: factors %v and %v", query, docs, code)
		}
	}
}

// The size limit is respected, the first result is always present, lines are whole, and missing text is marked.
func TestBudget(t *testing.T) {
	var chunks []api.Chunk
	for i := range 12 {
		letter := string(rune('a' + i))
		chunks = append(chunks, chunkOf(letter+".go", 1, strings.Repeat("a needle in the line "+letter+"\n", 40)+"end"))
	}
	p := newProject(t, chunks...)
	for _, tokens := range []int{1, 50, 300, 1000, 0} {
		r := ask(t, p, api.Query{Text: "needle", TopK: 12, MaxTokens: tokens, Detail: api.DetailFull})
		budget := 4 * tokens
		if tokens == 0 {
			budget = api.MaxResult
		}
		n := 0
		for _, h := range r.Hits {
			n += utf8.RuneCountInString(h.Text)
			for line := range strings.Lines(h.Text) {
				if line = strings.TrimSpace(line); !strings.HasPrefix(line, "a needle in the line ") && line != "end" &&
					!strings.HasPrefix(line, "…") {
					t.Errorf("%d tokens: line %q", tokens, line)
				}
			}
		}
		const note = 90 // a first line that doesn't fit, and the note
		if len(r.Hits) == 0 || n > budget+note {
			t.Errorf("%d tokens: %d hits, %d characters", tokens, len(r.Hits), n)
		}
		if wantCut := tokens != 0; r.Truncated != wantCut {
			t.Errorf("%d tokens: truncated %v with %d hits of %d", tokens, r.Truncated, len(r.Hits), r.Total)
		}
	}
}

// A near duplicate of a better result is listed with that result, by path and lines.
func TestMerged(t *testing.T) {
	body := "\topen(needle)\n\tthread(needle)\n\tpull(needle)\n\ttie(needle)\n\tcut(needle)\n\tclose(needle)\n}"
	p := newProject(t,
		chunkOf("vendor/sew/sew.go", 11, "func sew(needle string) {\n"+body, "sew"),
		chunkOf("sew/sew.go", 21, "func sew(needle string) {\n"+body, "sew"),
		chunkOf("sew/sew_test.go", 31, "func sew(needle string) {\n"+body, "sew"),
		chunkOf("knit.go", 1, "func knit(needle string) {\n\tpurl(needle)\n}", "knit"),
	)
	r := ask(t, p, api.Query{Text: "how does the needle thread"})
	if len(r.Hits) != 2 || r.Total != 2 || r.Hits[0].Path != "sew/sew.go" {
		t.Fatalf("%d results of %d: %+v", len(r.Hits), r.Total, r.Hits)
	}
	want := []api.Lines{{Path: "vendor/sew/sew.go", StartLine: 11, EndLine: 18},
		{Path: "sew/sew_test.go", StartLine: 31, EndLine: 38}}
	if !slices.Equal(r.Hits[0].Also, want) || r.Hits[1].Also != nil {
		t.Errorf("also in %v, want %v; %v", r.Hits[0].Also, want, r.Hits[1].Also)
	}
	without := false
	r = ask(t, p, api.Query{Text: "how does the needle thread", IncludeTests: &without})
	if len(r.Hits) != 2 || !slices.Equal(r.Hits[0].Also, want[:1]) {
		t.Errorf("without tests also in %v, want %v", r.Hits[0].Also, want[:1])
	}
}

// An excerpt has the file's lines with their numbers and marked gaps. Its range is the whole declaration.
func TestExcerpt(t *testing.T) {
	long := "// Package sew sews.\npackage sew\n\nimport \"thread\"\n\n// mend closes a hole.\n" +
		"func mend(hole Hole) error {\n" +
		strings.Repeat("\tstitch(hole, 1)\n", 60) + "\treturn knot(hole, \"needle is blunt\")\n}\n"
	c := chunkOf("sew.go", 1, long, "mend")
	c.Decls[0].Start, c.Decls[0].Line, c.Decls[0].End = 6, 7, 69
	p := newProject(t, c)
	r := ask(t, p, api.Query{Text: "needle is blunt"})
	if len(r.Hits) != 1 {
		t.Fatalf("%+v", r)
	}
	h := r.Hits[0]
	if h.StartLine != 6 || h.EndLine != 69 || h.Best != 68 || !strings.HasPrefix(h.Text,
		"// mend closes a hole.\nfunc mend(hole Hole) error {\n…") ||
		!strings.HasSuffix(h.Text, "\n\tstitch(hole, 1)\n\treturn knot(hole, \"needle is blunt\")\n}") {
		t.Errorf("%d-%d, best %d: %q", h.StartLine, h.EndLine, h.Best, h.Text)
	}
	lines := strings.Split(long, "\n")
	if !slices.ContainsFunc(h.Lines, func(l api.Line) bool { return l.Number == h.Best }) {
		t.Errorf("line %d is the best and is not shown", h.Best)
	}
	for _, l := range h.Lines {
		if lines[l.Number-1] != l.Text {
			t.Errorf("line %d is %q, shown %q", l.Number, lines[l.Number-1], l.Text)
		}
	}
	full := ask(t, p, api.Query{Text: "needle is blunt", Detail: api.DetailFull}).Hits[0]
	if full.Text+"\n" != strings.Join(lines[5:], "\n") || full.StartLine != 6 || full.EndLine != 69 {
		t.Errorf("in full %d-%d: %q", full.StartLine, full.EndLine, full.Text)
	}
}

// A misspelt name finds the same lines of its definition as the correct name, as certainly.
func TestMisspelt(t *testing.T) {
	c := chunkOf("src/basket.go", 1, "package src\n\n// Basket is one.\ntype Basket struct{}\n\nfunc other() {}\n\n"+
		"func (b *Basket) Checkout() {\n\tb.pay()\n}", "Basket", "other", "Checkout")
	c.Decls = []api.Decl{{Name: "Basket", Kind: "struct", Start: 3, Line: 4, End: 4},
		{Name: "other", Kind: "function", Start: 6, Line: 6, End: 6},
		{Name: "Checkout", Kind: "method", Start: 8, Line: 8, End: 10, Scope: []string{"Basket"}}}
	p := newProject(t, c,
		chunkOf("src/use.go", 1, "func use(b *Basket) {\n\tb.Checkout() // checkout, Checkout\n}", "use"),
	)
	for asked, want := range map[string]int{"Chekcout": 8, "Baskett": 4} {
		r := ask(t, p, api.Query{Text: asked, Detail: api.DetailExcerpt})
		if len(r.Hits) == 0 || r.Hits[0].Path != "src/basket.go" {
			t.Fatalf("%s: %v", asked, paths(r))
		}
		if x := r.Hits[0].Excerpt; x.Best != want {
			t.Errorf("%s: the best line is %d, want %d", asked, x.Best, want)
		}
		if len(r.Forms) != 1 {
			t.Errorf("%s: looked for %v as well, want the one name that was meant", asked, r.Forms)
		}
	}
}

// A result has the whole declaration's range even if its beginning is not indexed.
func TestPart(t *testing.T) {
	part := func(n, start int, text string) api.Chunk {
		c := chunkOf("knit.go", start, text)
		c.Decls = []api.Decl{{Name: "knit", Kind: "function", Start: 10, Line: 11, End: 16,
			Signature: "func knit(yarn Yarn)"}}
		c.ContentHash, c.Ordinal = strings.Repeat("ab", 32), n // parts of one file
		c.ID = api.ChunkID(c.Path, c.ContentHash, n)
		return c
	}
	p := newProject(t, part(0, 13, "\tpurl(yarn)\n\tdrop(yarn, stitch)"), part(1, 15, "\tbind(yarn)\n}"))
	r := ask(t, p, api.Query{Text: "drop stitch", TopK: 1})
	if h := r.Hits[0]; h.StartLine != 10 || h.EndLine != 16 || h.Breadcrumb != "knit" ||
		h.Text != "…13\n\tpurl(yarn)\n\tdrop(yarn, stitch)\n\tbind(yarn)\n}" {
		t.Errorf("%d-%d in %s: %q", h.StartLine, h.EndLine, h.Breadcrumb, h.Text)
	}
}

// The answer has as many results as requested. Weak results are marked and take one line.
func TestWeak(t *testing.T) {
	chunks := []api.Chunk{chunkOf("needle.go", 1, "func threadNeedle() {\n\tthread(needle, eye)\n}", "threadNeedle")}
	for i := range 8 {
		name := string(rune('a' + i))
		chunks = append(chunks, chunkOf(name+".go", 1, "func "+name+"() {\n\tuse(eye"+name+", \"eye\")\n\tother()\n}", name))
	}
	p := newProject(t, chunks...)
	r := ask(t, p, api.Query{Text: "thread needle eye"})
	if len(r.Hits) != 9 || r.Total != 9 || r.Truncated || r.Hits[0].Path != "needle.go" || r.Hits[0].Weak {
		t.Fatalf("%d hits of %d", len(r.Hits), r.Total)
	}
	if last := r.Hits[8]; !last.Weak || strings.Contains(last.Text, "\n") || !strings.HasSuffix(last.Text, "…") {
		t.Errorf("the last is %q", last.Text)
	}
}

// Lines outside of declarations have no breadcrumb of their chunk's declarations.
func TestBreadcrumbOfNothing(t *testing.T) {
	c := chunkOf("certs.py", 5, "def where():\n    return needle", "where")
	c.Text, c.StartLine, c.Breadcrumb = "THREAD = needle(1)\nuse(THREAD)\n\n\n"+c.Text, 1, []string{"where"}
	for _, h := range ask(t, newProject(t, c), api.Query{Text: "needle thread"}).Hits {
		if want := map[int]string{1: "", 5: "where"}[h.StartLine]; h.Breadcrumb != want {
			t.Errorf("line %d has the breadcrumb %q", h.StartLine, h.Breadcrumb)
		}
	}
}

// A question without an answer gets the closest places instead of results.
func TestNothingFound(t *testing.T) {
	p := newProject(t, chunkOf("oven.go", 3, "func heat() {\n\tdegrees(bread)\n}", "heat"))
	r := ask(t, p, api.Query{Text: "train tickets bread Berlin Munich station timetable platform"})
	if len(r.Hits) != 0 || r.Total != 0 || !slices.Equal(r.Nearest, []string{"oven.go:3 heat"}) {
		t.Errorf("%+v", r)
	}
}

// The file for this system ranks first, unless the query names another system.
func TestOtherSystem(t *testing.T) {
	own, other := "linux", "windows"
	if runtime.GOOS == other {
		own, other = other, own
	}
	for path, want := range map[string]bool{"ipc_" + other + ".go": true, "ipc_" + own + ".go": false,
		other + ".go":             false,
		"a/path-" + other + ".js": true, "term." + other + ".rs": true, "a_android.kt": true, "windows/a.go": false} {
		if got := otherSystem(path) != ""; got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	text := "func listen() {\n\tsocket()\n}"
	p := newProject(t, chunkOf("ipc_"+other+".go", 3, text+"\n// one", "listen"),
		chunkOf("ipc_"+own+".go", 3, text+"\n// two", "listen"))
	for query, first := range map[string]string{"listen on a socket": own, "listen on a socket " + other: other} {
		if r := ask(t, p, api.Query{Text: query}); len(r.Hits) != 2 || !strings.Contains(r.Hits[0].Path, first) {
			t.Errorf("%s: %+v", query, r.Hits)
		}
	}
}

// A report is answered if the project contains one of its words. If the report mentions something rare, the first
// result has its lines, although most of the report is about other things.
func TestReport(t *testing.T) {
	p := newProject(t, chunkOf("oven.go", 3, "func preheat() {\n\tdegrees(bread)\n}", "preheat"),
		chunkOf("door.go", 3, "func open() {\n\tlight()\n}", "open"))
	filler := strings.Repeat("Yesterday everybody wondered why Munich has trains without timetables.\n", 6)
	for text, want := range map[string]float64{
		"Crash in preheat of bread\n\n" + filler:                              reportStrength, // mentions the subject
		"Crash somewhere\n\n" + strings.ReplaceAll(filler, "trains", "light"): leastScore,
		"Crash somewhere\n\n" + filler:                                        0,
	} {
		r := ask(t, p, api.Query{Text: text})
		if want == 0 {
			if len(r.Hits) > 0 {
				t.Errorf("%.20q: %d hits", text, len(r.Hits))
			}
			continue
		}
		if len(r.Hits) == 0 || r.Hits[0].Score < want {
			t.Errorf("%.20q: %+v, want a score of %.2f", text, r.Hits, want)
		}
	}
}

// modelOfOne has vectors that find something for a single text.
type modelOfOne struct {
	*project
	text  string
	asked []string
}

func (m *modelOfOne) vector(text string) (v api.Vector) {
	m.asked = append(m.asked, text)
	if text == m.text {
		v[0] = 1
	}
	return v
}

func (m *modelOfOne) Query(_ context.Context, text string) (api.Vector, error) {
	return m.vector(text), nil
}

func (m *modelOfOne) Nearest(_ context.Context, _ api.Corpus, v api.Vector, _ int, _ store.Filter) (
	hits []store.VectorHit, err error) {
	for _, c := range m.chunks {
		hits = append(hits, near(c, map[bool]float64{true: 0.7, false: 0.1}[v[0] == 1 && c.Path == "door.go"]))
	}
	return hits, nil
}

// The model gets the title and the paragraphs of a report as one input, without the template and code. The nearest of
// their static vectors is used.
func TestParts(t *testing.T) {
	const second = "The entrance\nstays `shut` for ever."
	query := "Nobody gets in\n\n### Expected behavior\n\n" + second + "\n\n```\nfenced()\n```\n" +
		strings.Repeat("\nAnother paragraph.\n", 30)
	parts := append([]string{"Nobody gets in", second}, slices.Repeat([]string{"Another paragraph."}, 4)...)
	joined := strings.Join(parts, "\n")
	for found, texts := range map[string][]string{joined: {joined}, second: parts} {
		m := &modelOfOne{text: found, project: newProject(t,
			chunkOf("oven.go", 3, "func preheat() {\n\tdegrees(bread)\n}", "preheat"),
			chunkOf("door.go", 3, "func open() {\n\tlight()\n}", "open"))}
		req := Request{Query: api.Query{Text: query, TopK: 10}, Allowed: func(string) bool { return true },
			Log: slog.New(slog.DiscardHandler)}
		if found == second {
			req.Static, req.StaticCoverage = m.vector, 1
		} else {
			req.Embedder, req.Coverage = m, 1
		}
		ranked, err := Rank(t.Context(), m, req)
		must(t, err)
		r := ranked.Results(true)
		if !slices.Equal(m.asked, texts) {
			t.Errorf("vectors of %q, want %q", m.asked, texts)
		}
		if len(r.Hits) == 0 || r.Hits[0].Path != "door.go" {
			t.Errorf("%+v", r.Hits)
		}
	}
}

// Places without a word of the question or a similar meaning are not listed, and neither are places that only a static
// vector finds.
func TestNothingNear(t *testing.T) {
	c := chunkOf("main.go", 3, "func run() {\n\tserve()\n}", "run")
	p := newProject(t, c)
	for cosine, want := range map[float64]int{leastNear - 0.01: 0, leastNear: 1} {
		p.vectors = append(p.vectors[:0], near(c, cosine))
		r := ask(t, p, api.Query{Text: "sourdough bread recipe"},
			func(q *Request) { q.Embedder, q.Coverage = embedder{}, 1 })
		if len(r.Hits) != 0 || len(r.Nearest) != want {
			t.Errorf("at %.2f: %d hits, nearest %q", cosine, len(r.Hits), r.Nearest)
		}
	}
	p.vectors = append(p.vectors[:0], near(c, (leastNear+0.01-staticOffset)/staticSlope))
	r := ask(t, p, api.Query{Text: "sourdough bread recipe"}, func(q *Request) {
		q.Static, q.StaticCoverage = func(string) api.Vector { return api.Vector{} }, 1
	})
	if len(r.Hits) != 0 || len(r.Nearest) != 0 {
		t.Errorf("by static vectors: %d hits, nearest %q", len(r.Hits), r.Nearest)
	}
}

// For unknown words without a similar word in the index, only a close meaning is found. For known words, or with a word
// of the index, less is enough.
func TestNonsense(t *testing.T) {
	p := newProject(t, chunkOf("oven.go", 3, "func heat() {\n\tdegrees(bread)\n}", "heat"))
	for _, tc := range []struct {
		query  string
		cosine float64
		found  bool
	}{
		{"qqqq wwww", leastMeaning - 0.01, false}, {"qqqq wwww", leastMeaning, true}, {"😀😀😀", 0.9, false},
		{"wie heiß wird es", leastMeaning + 0.1, true}, {"how many degreees", leastAnswer, true},
		{"bread qqqq", leastAnswer, true},
		{"keeping things warm", leastMeaning - 0.01, true}, {"keeping things warm", leastAnswer - 0.01, false},
	} {
		p.vectors = nil
		for _, c := range p.chunks {
			p.vectors = append(p.vectors, near(c, tc.cosine))
		}
		r := ask(t, p, api.Query{Text: tc.query}, func(q *Request) { q.Embedder, q.Coverage = embedder{}, 1 })
		if found := len(r.Hits) > 0; found != tc.found || !found && tc.query[0] < 0x80 && !slices.Equal(r.Nearest,
			[]string{"oven.go:3 heat"}) {
			t.Errorf("%q at %.2f: %d hits, nearest %q", tc.query, tc.cosine, len(r.Hits), r.Nearest)
		}
	}
}

// Static vectors find nothing for unknown words that do not occur, but they find a known word's meaning.
func TestAWordOfNowhere(t *testing.T) {
	c := chunkOf("oven.go", 3, "func heat() {\n\tdegrees(bread)\n}", "heat")
	p := newProject(t, c)
	p.vectors = append(p.vectors, near(c, 0.9))
	for query, found := range map[string]bool{"qzxvkjw": false, "zorblax quimby": false, "warmth": true,
		"degreees": true} {
		r := ask(t, p, api.Query{Text: query}, func(q *Request) {
			q.Static, q.StaticCoverage = func(string) api.Vector { return api.Vector{} }, 1
		})
		if got := len(r.Hits) > 0; got != found {
			t.Errorf("%q: %d hits", query, len(r.Hits))
		}
	}
}

// After ten results, an answer lists the next declarations, unless it is limited.
func TestMore(t *testing.T) {
	var chunks []api.Chunk
	for i := range 14 {
		name := string(rune('a' + i))
		chunks = append(chunks, chunkOf(name+".go", 3, "func first"+name+"() {\n\tthread(needle)\n}", "first"+name))
	}
	p := newProject(t, chunks...)
	r := ask(t, p, api.Query{Text: "thread needles"})
	seen := map[string]bool{}
	for _, h := range r.Hits {
		seen[h.Path] = true
	}
	for _, m := range r.More {
		letter := m.Path[:1]
		if m.StartLine != 3 || m.EndLine != 5 || m.Signature != "func first"+letter+"()" || seen[m.Path] {
			t.Errorf("%+v behind %v", m, seen)
		}
	}
	if len(r.Hits) != 10 || len(r.More) != 4 {
		t.Errorf("%d results, %d more", len(r.Hits), len(r.More))
	}
}

// Lines keep their numbers although chunks omit blank lines between them.
func TestBlankLinesBetweenChunks(t *testing.T) {
	part := func(n, start int, text string) api.Chunk {
		c := chunkOf("guide.md", start, text)
		c.Decls = []api.Decl{{Name: "Guide", Kind: "section", Start: 1, Line: 1, End: 6, Signature: "# Guide"}}
		c.ContentHash, c.Ordinal = strings.Repeat("ab", 32), n
		c.ID = api.ChunkID(c.Path, c.ContentHash, n)
		return c
	}
	p := newProject(t, part(0, 1, "# Guide"), part(1, 3, "Some words."), part(2, 6, "The quokka rests."))
	h := ask(t, p, api.Query{Text: "quokka rests", Corpus: api.CorpusDocs}).Hits[0]
	if h.Best != 6 || h.StartLine != 1 || h.EndLine != 6 {
		t.Errorf("%d-%d, best %d: %q", h.StartLine, h.EndLine, h.Best, h.Text)
	}
}
