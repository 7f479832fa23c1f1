package search

import (
	"slices"
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
		"package.json":  isData, "LICENSE": isData, "docs/api.rst": isProse,
	} {
		if got := roleOf(path); got != want {
			t.Errorf("%s: %b, want %b", path, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	long := "let a = \"" + strings.Repeat("é", 2000) + "\""
	got, cut := cutLongLines("first\n" + long + "\nlast\n")
	lines := strings.Split(got, "\n")
	if !cut || lines[0] != "first" || lines[2] != "last" || !utf8.ValidString(got) {
		t.Errorf("%v %q", cut, got)
	}
	if !strings.HasSuffix(lines[1], "…[1510 characters cut]") {
		t.Errorf("long line: %q", lines[1])
	}
	plain := strings.Repeat("a line that a person wrote\n", 100)
	if got, cut := cutLongLines(plain); cut || got != plain {
		t.Error("ordinary lines were changed")
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
		r := ask(t, p, api.Query{Text: "needle", TopK: 12, MaxTokens: tokens})
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
		const note = 60 // a first line that doesn't fit, and the note
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
			if h.EndLine != 7 || h.Text != "func needle() {\n\tthread(1)\n}\n\nfunc needles() {\n\tthread(2)\n}" {
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
