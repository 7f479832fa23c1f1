package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

func TestPlaces(t *testing.T) {
	for path, want := range map[string]pathRole{
		"src/server.go": 0, "lib/contest.rb": 0, "src/latest.py": 0, "attest/verify.c": 0, "src/distance.go": 0,
		"lib/outside.lua": 0,
		"pkg/a_test.go":   isTest, "tests/unit/x.py": isTest, "src/a.spec.ts": isTest, "spec/models/a.rb": isTest,
		"src/FooTest.java": isTest, "test_x.py": isTest,
		"examples/a.rs": isExample, "_examples/todo/main.go": isExample,
		"third_party/zlib/a.c": isVendored, "api/a.pb.go": isGenerated, "dist/app.js": isGenerated,
		"static/app.min.js": isGenerated,
		"src/compat.py":     isCompat, "types/a.d.ts": isDeclared, "pkg/__init__.py": isIndex, "src/mod.rs": isIndex,
		"AppTests/ViewTests.swift": isTest, "Core.Tests/Cart.cs": isTest, "src/commonTest/kotlin/A.kt": isTest,
		"src/TestRunner.java": isTest, "src/FooSpec.scala": isTest,
		"okhttp3/ConnectionSpec.kt": 0, "src/testimony.py": 0, "src/benchmarked.rs": 0, "lib/contestant.ex": 0,
		"test/a.bats": isTest, "src/a.test-d.ts": isTest,
		"src/CodeGen.hs": 0, "src/gen_server.erl": 0, "src/FrameworkBundle.php": 0, "lib/model.g.dart": isGenerated,
		"src/build/plan.go": 0, "zz_generated.deepcopy.go": isGenerated,
		"vite.config.ts": isData, "src/config.ts": 0, "setup.py": isData, ".github/workflows/check.py": isData,
		"src/locales/de.ts": isLocale,
		"docs/conf.py":      isProse, "src/Button.stories.tsx": isExample, "examplesite/a.go": 0, "src/demoApp.kt": isExample,
		"deps/zlib/a.c": isVendored,
		"ChangeLog":     isChangelog, "ChangeLog-2011": isChangelog, "NEWS.rst": isChangelog | isProse, "src/changes.go": 0,
		"lib/history.rb": 0, "README": isProse, "VACATION_README": isProse,
		"README-windows.txt":   isProse,
		"build-aux/install-sh": isGenerated, "scripts/install": 0, "bin/configure-hooks": 0,
		"doc/tool.texi": isProse, "doc/tool.info-2": isProse, "src/features.py": 0, "gnulib/lib/regex.c": isVendored,
		"configure": isGenerated, "configure.ac": isData, "cmd/configure.go": 0, "build-aux/ltmain.sh": isGenerated,
		"src/Makefile.am": isData, "po/de.po": isLocale, "app/models/authors.rb": 0, "license.go": 0,
		"LICENSE.OpenSSL": isData, "COPYING.LIB": isData, "license": isData, "OWNERS": isData, "src/License.java": 0,
		"README.win32": isProse, "src/FAQ.tsx": 0, "lib/Changes.pm": 0,
		"package.json": isData, "LICENSE": isData, "docs/api.rst": isProse, "web/page.css": isMarkup,
	} {
		if got := roleOf(path); got != want {
			t.Errorf("%s: %b, want %b", path, got, want)
		}
	}
}

// The budget holds, the first result is always there, lines are whole, and what is missing is said.
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
					!strings.HasPrefix(line, "…[") {
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

// Neighbours become one result with the lines between them; strangers don't.
func TestJoined(t *testing.T) {
	p := newProject(t,
		chunkOf("a.go", 1, "func needle() {\n\tthread(1)\n}", "needle"),
		chunkOf("a.go", 5, "func needles() {\n\tthread(2)\n}", "needles"),
		chunkOf("a.go", 90, "func needleless() {\n\tthread(3)\n}", "needleless"),
		chunkOf("b.go", 1, "func other() {\n\tneedle()\n}", "other"),
	)
	r := ask(t, p, api.Query{Text: "needle thread"})
	for _, h := range r.Hits {
		if h.Path == "a.go" && h.StartLine == 1 {
			if h.EndLine < 6 || !strings.HasPrefix(h.Text, "func needle() {\n\tthread(1)\n}\n\nfunc needles() {\n\tthread(2)") {
				t.Errorf("lines 1-%d: %q", h.EndLine, h.Text)
			}
			return
		}
	}
	t.Errorf("no joined result: %+v", r.Hits)
}

// What nearly repeats a better result is told there, with path and lines, and is no result of its own.
func TestMerged(t *testing.T) {
	body := "\topen(needle)\n\tthread(needle)\n\tpull(needle)\n\ttie(needle)\n\tcut(needle)\n\tclose(needle)\n}"
	p := newProject(t,
		chunkOf("vendor/sew/sew.go", 11, "func sew(needle string) {\n"+body, "sew"),
		chunkOf("sew/sew.go", 21, "func sew(needle string) {\n"+body, "sew"),
		chunkOf("sew/sew_test.go", 31, "func sew(needle string) {\n"+body, "sew"),
		chunkOf("knit.go", 1, "func knit(needle string) {\n\tpurl(needle)\n}", "knit"),
	)
	r := ask(t, p, api.Query{Text: "how is the needle threaded"})
	if len(r.Hits) != 2 || r.Total != 2 || r.Hits[0].Path != "sew/sew.go" {
		t.Fatalf("%d results of %d: %+v", len(r.Hits), r.Total, r.Hits)
	}
	want := []api.Lines{{Path: "vendor/sew/sew.go", StartLine: 11, EndLine: 18},
		{Path: "sew/sew_test.go", StartLine: 31, EndLine: 38}}
	if !slices.Equal(r.Hits[0].Also, want) || r.Hits[1].Also != nil {
		t.Errorf("also in %v, want %v; %v", r.Hits[0].Also, want, r.Hits[1].Also)
	}
	without := false
	r = ask(t, p, api.Query{Text: "how is the needle threaded", IncludeTests: &without})
	if len(r.Hits) != 2 || !slices.Equal(r.Hits[0].Also, want[:1]) {
		t.Errorf("without tests also in %v, want %v", r.Hits[0].Also, want[:1])
	}
}

// An excerpt's lines are the file's under their numbers, its gaps are marked, and what it names is the whole
// declaration.
func TestExcerpt(t *testing.T) {
	long := "// Package sew sews.\npackage sew\n\nimport \"thread\"\n\n// mend closes a hole.\n" +
		"func mend(hole Hole) error {\n" +
		strings.Repeat("\tstitch(hole, 1)\n", 30) + "\treturn knot(hole, \"needle is blunt\")\n}\n"
	p := newProject(t, chunkOf("sew.go", 1, long, "mend"))
	r := ask(t, p, api.Query{Text: "needle is blunt"})
	if len(r.Hits) != 1 {
		t.Fatalf("%+v", r)
	}
	h := r.Hits[0]
	if h.StartLine != 6 || h.EndLine != 39 || h.Best != 38 || !strings.HasPrefix(h.Text,
		"// mend closes a hole.\nfunc mend(hole Hole) error {\n…") ||
		!strings.HasSuffix(h.Text, "\n\tstitch(hole, 1)\n\treturn knot(hole, \"needle is blunt\")\n}") {
		t.Errorf("%d-%d, best %d: %q", h.StartLine, h.EndLine, h.Best, h.Text)
	}
	lines := strings.Split(long, "\n")
	if !slices.ContainsFunc(h.Lines, func(l api.Line) bool { return l.Number == h.Best }) {
		t.Errorf("line %d says most and is not shown", h.Best)
	}
	for _, l := range h.Lines {
		if lines[l.Number-1] != l.Text {
			t.Errorf("line %d is %q, shown %q", l.Number, lines[l.Number-1], l.Text)
		}
	}
	full := ask(t, p, api.Query{Text: "needle is blunt", Detail: api.DetailFull}).Hits[0]
	if full.Text != long || full.StartLine != 1 || full.EndLine != 39 {
		t.Errorf("in full %d-%d: %q", full.StartLine, full.EndLine, full.Text)
	}
}

// A function that is cut into several chunks is named whole, and its first line is shown, whichever chunk is found.
// TestMisspelt: a misspelt name finds its definition as surely as a name that is spelt right, and the lines shown are
// those of the name that was meant.
func TestMisspelt(t *testing.T) {
	p := newProject(t,
		chunkOf("src/basket.go", 1, "package src\n\n// Basket is one.\ntype Basket struct{}\n\nfunc other() {}\n\n"+
			"func (b *Basket) Checkout() {\n\tb.pay()\n}", "Basket", "other", "Checkout"),
		chunkOf("src/use.go", 1, "func use(b *Basket) {\n\tb.Checkout() // checkout, Checkout\n}", "use"),
	)
	for asked, want := range map[string]int{"Chekcout": 8, "Baskett": 4, "where is chekout": 8} {
		r := ask(t, p, api.Query{Text: asked, Detail: api.DetailExcerpt})
		if len(r.Hits) == 0 || r.Hits[0].Path != "src/basket.go" {
			t.Fatalf("%s: %v", asked, paths(r))
		}
		if x := r.Hits[0].Excerpt; x.Lines[0].Number != want {
			t.Errorf("%s: line %d is shown first, want %d", asked, x.Lines[0].Number, want)
		}
		if len(r.Forms) != 1 {
			t.Errorf("%s: looked for %v as well, want the one name that was meant", asked, r.Forms)
		}
	}
}

func TestExcerptOfPart(t *testing.T) {
	hash := strings.Repeat("a", 64)
	part := func(n, start int, text string, symbols ...string) api.Chunk {
		return api.Chunk{ID: api.ChunkID("knit.go", hash, n), Path: "knit.go", ContentHash: hash, Ordinal: n, Language: "go",
			Text: text, StartLine: start, EndLine: start + strings.Count(text, "\n"), Symbols: symbols,
			Breadcrumb: []string{"knit"}}
	}
	p := newProject(t,
		part(0, 10, "// knit knits.\nfunc knit(yarn Yarn) {\n\tcast(yarn)", "knit"),
		part(1, 13, "\tpurl(yarn)\n\tdrop(yarn, stitch)"),
		part(2, 15, "\tbind(yarn)\n}"))
	r := ask(t, p, api.Query{Text: "drop stitch", TopK: 1})
	h := r.Hits[0]
	if h.StartLine != 11 || h.EndLine != 16 ||
		h.Text != "func knit(yarn Yarn) {\n…13\n\tpurl(yarn)\n\tdrop(yarn, stitch)\n…" {
		t.Errorf("%d-%d: %q", h.StartLine, h.EndLine, h.Text)
	}
}

// What hardly answers is left out and counted, unless more is asked for than a first answer has.
func TestWeak(t *testing.T) {
	chunks := []api.Chunk{chunkOf("needle.go", 1, "func threadNeedle() {\n\tthread(needle, eye)\n}", "threadNeedle")}
	for i := range 8 {
		name := string(rune('a' + i))
		chunks = append(chunks, chunkOf(name+".go", 1, "func "+name+"() {\n\tuse(eye"+name+", \"eye\")\n\tother()\n}", name))
	}
	p := newProject(t, chunks...)
	r := ask(t, p, api.Query{Text: "thread needle eye"})
	if len(r.Hits)+r.Weak != 9 || r.Weak == 0 || len(r.Hits) < 3 || r.Total != 9 || !r.Truncated ||
		r.Hits[0].Path != "needle.go" {
		t.Errorf("%d hits, %d weak of %d", len(r.Hits), r.Weak, r.Total)
	}
	if r := ask(t, p, api.Query{Text: "thread needle eye", TopK: 50}); len(r.Hits) != 9 || r.Weak != 0 || r.Truncated {
		t.Errorf("%d hits, %d weak of %d with top_k 50", len(r.Hits), r.Weak, r.Total)
	}
}

// Licence and imports are no result unless asked for.
func TestHeaderIsNoResult(t *testing.T) {
	p := newProject(t,
		chunkOf("a.go", 1,
			"// Copyright the needle authors.\n// All rights reserved.\n\npackage needle\n\nimport \"needle/thread\""),
		chunkOf("a.go", 40, "func mend() {\n\tfix(thread)\n}", "mend"),
		chunkOf("b.go", 9, "func sew() {\n\tthread(needle)\n}", "sew"))
	if r := ask(t, p, api.Query{Text: "how is the needle threaded"}); len(r.Hits) != 2 || r.Total != 2 ||
		r.Hits[0].Path != "b.go" ||
		r.Hits[1].StartLine != 40 {
		t.Errorf("%+v", r.Hits)
	}
	if got := paths(ask(t, p, api.Query{Text: "copyright needle authors"})); !slices.Contains(got, "a.go") {
		t.Errorf("asked for: %v", got)
	}
}

// A question that nothing answers gets no result, and the places that come nearest.
func TestNothingFound(t *testing.T) {
	p := newProject(t, chunkOf("oven.go", 3, "func heat() {\n\tdegrees(bread)\n}", "heat"))
	r := ask(t, p, api.Query{Text: "train tickets bread Berlin Munich station timetable platform"})
	if len(r.Hits) != 0 || r.Total != 0 || !slices.Equal(r.Nearest, []string{"oven.go:3 heat"}) {
		t.Errorf("%+v", r)
	}
}

// TestNonsense: what are no words, nor near any that the index has, needs a meaning that is close; for words, and
// beside one that the index has, less is enough.
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

// Behind an unsure first result an answer tells where other files match, each once, unless somebody asked for so many
// results.
func TestFurther(t *testing.T) {
	var chunks []api.Chunk
	for i := range 14 {
		name := string(rune('a' + i))
		chunks = append(chunks, chunkOf(name+".go", 3, "func first"+name+"() {\n\tthread(needle)\n}", "first"+name),
			chunkOf(name+".go", 90, "var needles"+name+" = thread(needle)", "other"+name))
	}
	p := newProject(t, chunks...)
	const vague = "tailors thread needles"
	r := ask(t, p, api.Query{Text: vague})
	var files []string
	for _, h := range r.Hits {
		files = append(files, h.Path)
	}
	for _, place := range r.Further {
		path, name, _ := strings.Cut(place, " ")
		letter := path[:1]
		if path != letter+".go:3" || name != "first"+letter || slices.Contains(files, letter+".go") {
			t.Errorf("told %q behind %v", place, files)
		}
		files = append(files, letter+".go")
	}
	if len(r.Hits) != 10 || len(files) != 14 || r.Hits[0].Score >= doubtful {
		t.Errorf("%d results of score %.2f, %d places", len(r.Hits), r.Hits[0].Score, len(r.Further))
	}
	for name, q := range map[string]api.Query{
		"a clear question": {Text: "thread needle"}, "so many": {Text: vague, Weak: true}, "a page": {Text: vague, Offset: 1},
		"whole chunks": {Text: vague, Detail: api.DetailFull}, "so much": {Text: vague, MaxTokens: 2000},
	} {
		if r := ask(t, p, q); len(r.Hits) == 0 || r.Further != nil {
			t.Errorf("%s: %d results, %v", name, len(r.Hits), r.Further)
		}
	}
}

// TestMore: behind the results stands what the first of them had no room for, and what else their files hold of the
// question; of files that score like the first, and of none where somebody bounded the answer.
func TestMore(t *testing.T) {
	body := func(name string) string { return "func " + name + "() {\n\tthread(needle, " + name + ")\n}" }
	long := "func sew() {\n" + strings.Repeat("\tthread(needle) // pull it through the cloth\n", 20) + "}"
	p := newProject(t,
		chunkOf("a.go", 3, long, "sew"), chunkOf("a.go", 90, body("mend"), "mend"), chunkOf("a.go", 95, body("darn"), "darn"),
		chunkOf("a.go", 200, body("hem"), "hem"), chunkOf("b.go", 7, "import needle"),
		chunkOf("c.go", 7, "func cut() {\n\tscissors() // no needle\n}", "cut"))
	ask := func(q api.Query) api.Results {
		q.Text, q.TopK = "thread the needle", cmp.Or(q.TopK, 1)
		return ask(t, p, q)
	}
	r := ask(api.Query{})
	if len(r.Hits) != 1 || r.Hits[0].Path != "a.go" {
		t.Fatalf("%+v", r.Hits)
	}
	h := r.Hits[0]
	if !strings.HasPrefix(h.More, "…") || !strings.Contains(h.More, "thread(needle") {
		t.Errorf("more is %q", h.More)
	}
	at := 0
	numbers := map[int]bool{}
	for line := range strings.Lines(h.More) {
		line = strings.TrimSuffix(line, "\n")
		if gap, ok := strings.CutPrefix(line, "…"); ok {
			n, err := strconv.Atoi(gap)
			if err != nil || n <= at {
				t.Errorf("the gap %q behind line %d", line, at)
			}
			at = n
			continue
		}
		if numbers[at] = true; slices.ContainsFunc(h.Lines, func(l api.Line) bool { return l.Number == at }) {
			t.Errorf("line %d is shown twice", at)
		}
		at++
	}
	others := 0
	for _, start := range []int{90, 95, 200} {
		if numbers[start] || numbers[start+1] {
			others++
		}
	}
	if others != moreChunks {
		t.Errorf("lines of %d other chunks:\n%s", others, h.More)
	}
	r = ask(api.Query{TopK: 10})
	for _, h := range r.Hits[1:] { // small files are shown whole
		if h.More != "" {
			t.Errorf("%s with %.2f has more: %q", h.Path, h.Score, h.More)
		}
	}
	for name, q := range map[string]api.Query{"a page": {Offset: 1}, "whole chunks": {Detail: api.DetailFull},
		"a terminal": {Detail: api.DetailShort}, "a window": {Detail: api.DetailLong}, "so much": {MaxTokens: 2000}} {
		r := ask(q)
		if len(r.Hits) == 0 || r.Hits[0].More != "" {
			t.Errorf("%s: %+v", name, r.Hits)
		}
	}
}

// TestMoreOfSeveral: of merged hits those keep more that come first now.
func TestMoreOfSeveral(t *testing.T) {
	e := &api.Excerpt{First: 1, Start: 1, End: 1, Best: 1, Text: "x", Lines: []api.Line{{Number: 1, Text: "x"}},
		Others: []api.Line{{Number: 7, Text: "y"}}}
	hit := func(project string, score float64) api.Hit {
		return api.Hit{Path: "a.go", Project: project, Score: score, Excerpt: e, More: "of its own answer"}
	}
	r := api.Results{Hits: []api.Hit{hit("one", 0.9), hit("two", 0.9), hit("one", 0.8), hit("three", 0.7),
		hit("four", 0.7), hit("five", 0.5)}}
	Shape(&r, api.Query{TopK: 10})
	var kept []string
	for _, h := range r.Hits {
		if h.More == "…7\ny" {
			kept = append(kept, h.Project)
		}
	}
	if !slices.Equal(kept, []string{"one", "two", "three"}) || r.Hits[5].More != "" {
		t.Errorf("more of %v", kept)
	}
}

// TestShapeDoubtful: a first result that may be the wrong one leaves room for the others.
func TestShapeDoubtful(t *testing.T) {
	lengths := func(score float64) (out []int) {
		r := api.Results{}
		for range 3 {
			e := &api.Excerpt{First: 1, Start: 1, End: 40, Best: 1}
			for n := 1; n <= 40; n++ {
				e.Lines = append(e.Lines, api.Line{Number: n, Text: strings.Repeat("x", 40)})
				e.Text += strings.Repeat("x", 40) + "\n"
			}
			r.Hits = append(r.Hits, api.Hit{Path: "a.go", Score: score, Excerpt: e})
		}
		Shape(&r, api.Query{TopK: 10, Detail: api.DetailExcerpt})
		for _, h := range r.Hits {
			out = append(out, len(h.Text))
		}
		return out
	}
	for score, most := range map[float64][]int{doubtful: sureRooms, doubtful - 0.01: rooms} {
		for i, n := range lengths(score) {
			if line := 41; n > most[i] || n < min(most[i]-2*line, line) {
				t.Errorf("score %.2f: result %d has %d bytes of %d", score, i+1, n, most[i])
			}
		}
	}
}
