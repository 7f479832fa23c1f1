package chunk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk/treesitter"
)

// goFile returns a file with a large type of n methods, a large function and a grouped constant.
func goFile(methods, statements int) string {
	var b strings.Builder
	b.WriteString(
		"// Package p is made by a test, and its comment is long enough for a chunk of its own.\npackage p\n\nimport (\n" +
			"\t\"fmt\"\n\t\"strings\"\n)\n\n")
	for i := range methods {
		fmt.Fprintf(&b,
			"// Method%d does what its number says.\n// It is long enough to stand alone.\n"+
				"func (s *Server) Method%d(a int) error {\n", i, i)
		for k := range 20 {
			fmt.Fprintf(&b, "\tfmt.Println(%q, a, strings.ToUpper(\"some text of the method\"))\n", fmt.Sprint("step ", k))
		}
		b.WriteString("\treturn nil\n}\n\n")
	}
	b.WriteString("// Run is very long.\nfunc Run() {\n")
	for i := range statements {
		fmt.Fprintf(&b, "\tif x := %d; x > 0 {\n\t\tfmt.Println(\"branch\", x)\n\t}\n", i)
	}
	b.WriteString("}\n")
	return b.String()
}

func TestFunctionsAreChunksWithComments(t *testing.T) {
	chunks, info := chunkFile(t, newChunker(), "p.go", api.CorpusCode, goFile(3, 10))
	if info.Method != BySyntax || len(chunks) != 5 {
		t.Fatalf("%+v, %d chunks", info, len(chunks))
	}
	if c := chunks[0]; c.StartLine != 1 || !strings.HasSuffix(c.Text, ")") || c.Symbols != nil {
		t.Errorf("header: %+v", c)
	}
	for i := range 3 {
		c := chunks[i+1]
		name := fmt.Sprint("Method", i)
		if !strings.HasPrefix(c.Text, "// "+name+" does") || !strings.HasSuffix(c.Text, "\n}") ||
			!slices.Equal(c.Breadcrumb, []string{"Server", name}) || !slices.Equal(c.Symbols, []string{name}) {
			t.Errorf("method %d: %v %v %.50q", i, c.Breadcrumb, c.Symbols, c.Text)
		}
	}
}

func TestOversizedFunctionIsCutBetweenStatements(t *testing.T) {
	chunks, _ := chunkFile(t, newChunker(), "p.go", api.CorpusCode, goFile(0, 300))
	defined := 0
	for i, c := range chunks[1:] {
		if !slices.Equal(c.Breadcrumb, []string{"Run"}) {
			t.Errorf("part %d: %v", i, c.Breadcrumb)
		}
		if i > 0 && !strings.HasPrefix(c.Text, "\tif x :=") {
			t.Errorf("part %d begins with %.20q", i, c.Text)
		}
		if len(c.Text) > readable+crumbSize {
			t.Errorf("part %d has %d characters", i, len(c.Text))
		}
		defined += len(c.Symbols)
	}
	if len(chunks) < 5 || defined != 1 || !slices.Equal(chunks[1].Symbols, []string{"Run"}) {
		t.Errorf("%d chunks, %d define something, the first %v", len(chunks), defined, chunks[1].Symbols)
	}
}

func TestClassIsCutBetweenMembers(t *testing.T) {
	var b strings.Builder
	b.WriteString(
		"import os\n\n\n@register(\n    name='x',\n)\nclass Big(Base):\n    \"\"\"A class.\n\n" +
			"    Of many methods, each of which logs what it does, so that whoever reads the log knows what happened, and\n" +
			"    in which order; the class itself does nothing with it, and neither does its base.\n    \"\"\"\n\n" +
			"    limit = 10\n")
	for i := range 8 {
		fmt.Fprintf(&b, "\n    # About method_%d.\n    @property\n    def method_%d(self):\n", i, i)
		for range 14 {
			b.WriteString("        self.log('a line of the body that counts for something')\n")
		}
	}
	chunks, _ := chunkFile(t, newChunker(), "big.py", api.CorpusCode, b.String())
	if len(chunks) != 8 {
		t.Fatalf("%d chunks", len(chunks))
	}
	// The head is small and joins the first member.
	if c := chunks[0]; !strings.Contains(c.Text, "@register") || !slices.Equal(c.Symbols,
		[]string{"Big", "limit", "method_0"}) ||
		!slices.Equal(c.Breadcrumb, []string{"Big"}) {
		t.Errorf("head: %v %v", c.Breadcrumb, c.Symbols)
	}
	for i, c := range chunks[1:] {
		name := fmt.Sprint("method_", i+1)
		if !slices.Equal(c.Breadcrumb, []string{"Big", name}) || !strings.HasPrefix(c.Text, "    # About "+name) {
			t.Errorf("member %d: %v %.40q", i, c.Breadcrumb, c.Text)
		}
	}
}

func TestProseKeepsFencesWhole(t *testing.T) {
	var b strings.Builder
	b.WriteString("---\ntitle: x\n---\n# Top\n\n## Long\n\n")
	for i := range 12 {
		fmt.Fprintf(&b, "Paragraph %d %s\n\n```go\n", i, strings.Repeat("says something. ", 20))
		for k := range 12 {
			fmt.Fprintf(&b, "# code %d\n\n", k*i)
			b.WriteString("call(something, of, some, length, with, arguments)\n")
		}
		b.WriteString("```\n\n")
	}
	chunks, info := chunkFile(t, newChunker(), "x.md", api.CorpusDocs, b.String())
	if info.Method != ByHeadings || len(chunks) < 2 {
		t.Fatalf("%+v, %d chunks", info, len(chunks))
	}
	for i, c := range chunks {
		if strings.Count(c.Text, "```")%2 != 0 {
			t.Errorf("chunk %d cuts a fence", i)
		}
		if i > 0 && !slices.Equal(c.Breadcrumb, []string{"Top", "Long"}) {
			t.Errorf("chunk %d: %v", i, c.Breadcrumb)
		}
		if i > 1 && c.StartLine > chunks[i-1].EndLine { // the first is a section of its own
			t.Errorf("chunks %d and %d share nothing", i-1, i)
		}
	}
	if !strings.HasPrefix(chunks[0].Text, "---\ntitle") {
		t.Errorf("front matter is not in the first chunk: %.30q", chunks[0].Text)
	}
}

// A heading's title is its displayed text.
func TestTitles(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{`# <img alt="chi" src="https://example.org/chi.svg" width="220" />`, "chi"},
		{`# Logrus <img src="a.png" alt=":walrus:"/>&nbsp;[![Build](https://ci/b.svg)](https://ci/b)`, "Logrus"},
		{"# testpackage <br> [![go minimal version][go-img]][go-url] [![CI][ci-img]][ci-url]", "testpackage"},
		{`# [<img src="https://example.org/u/3?s=30">](https://example.org/gonum) How to help`, "How to help"},
		{`## <a href="#ale" id="ale">Ale</a>`, "Ale"},
		{`### <a name="Caser.ToCamel">func</a> [ToCamel](./caser.go#L80)`, "func ToCamel"},
		{`<h1 align="center">Quick &amp; easy</h1>`, "Quick & easy"},
		{"## The `<a>` element and ``<br>``", "The <a> element and <br>"},
		{"## Vec<T> and Map<K, V>", "Vec<T> and Map<K, V>"},
		{"## [![only a badge](https://ci/b.svg)](https://ci/b)", "only a badge"},
		{"## **Usage** of [the client](client.md) {#usage}", "Usage of the client"},
		{"## a < b and <b>bold</b>", "a < b and bold"},
	} {
		chunks, _ := chunkFile(t, newChunker(), "x.md", api.CorpusDocs, tc.line+"\n\nIt says something.\n")
		if len(chunks) != 1 || !slices.Equal(chunks[0].Breadcrumb, []string{tc.want}) {
			t.Errorf("%s: %q, want %q", tc.line, chunks[0].Breadcrumb, tc.want)
		}
	}
}

// The splitter cuts files that a parser must not get or cannot parse, and Info contains the reason.
func TestFallbacks(t *testing.T) {
	healthy, crashed := NewTrees(treesitter.Parse), crashed{}
	for name, tc := range map[string]struct {
		file, data string
		syntax     Syntax
		method     Method
		reason     Reason
	}{
		"healthy": {"a.go", goFile(2, 3), healthy, BySyntax, ReasonNone},
		"crashed": {"a.go", goFile(2, 3), crashed, BySplitter, ReasonSkipped},
		"huge":    {"a.go", goFile(400, 3), healthy, BySplitter, ReasonHuge},
		"minified": {"a.js", "var a=1;\n" + strings.Repeat("function f(x){return x};", 500), healthy,
			BySplitter, ReasonMinified},
		"broken": {"a.go", strings.Repeat("Dear all, ) } ( this is {{ no program ]]\n", 60), healthy,
			BySplitter, ReasonBroken},
		"no grammar": {"a.hs", strings.Repeat("f x = x\n\n", 300), crashed, ByBlocks, ReasonNone},
		"unknown":    {"a.xyz", goFile(2, 3), healthy, BySplitter, ReasonNone},
		"prose":      {"notes", strings.Repeat("A line.\n\n", 300), healthy, BySplitter, ReasonNone},
	} {
		t.Run(name, func(t *testing.T) {
			chunks, info := chunkFile(t, New(tc.syntax), tc.file, api.CorpusCode, tc.data)
			if info.Method != tc.method || info.Reason != tc.reason || len(chunks) == 0 {
				t.Errorf("%+v, %d chunks", info, len(chunks))
			}
		})
	}
}

func symbolsOf(chunks []api.Chunk) (all []string) {
	for _, c := range chunks {
		all = append(all, c.Symbols...)
	}
	return all
}

// A file that the splitter cuts still has symbols.
func TestFallbackKeepsSymbols(t *testing.T) {
	chunks, _ := chunkFile(t, New(crashed{}), "a.go", api.CorpusCode, goFile(2, 3))
	if all := symbolsOf(chunks); !slices.Equal(all, []string{"Method0", "Method1", "Run"}) {
		t.Errorf("%v", all)
	}
}

// Definitions inside syntax errors are found.
func TestErrorsInsideAFile(t *testing.T) {
	data := strings.Replace(goFile(3, 10), "func Run() {", "func %% Broken(( {", 1)
	chunks, info := chunkFile(t, newChunker(), "a.go", api.CorpusCode, data)
	if !info.Errors || info.Method != BySyntax {
		t.Fatalf("%+v", info)
	}
	all := symbolsOf(chunks)
	for i := range 3 {
		if !slices.Contains(all, fmt.Sprint("Method", i)) {
			t.Errorf("Method%d is missing from %v", i, all)
		}
	}
}

// Cuts of another process are checked, and its errors are returned.
func TestUntrustedCuts(t *testing.T) {
	for name, c := range map[string]Cut{
		"behind":   {Pieces: []Piece{{Start: 0, End: 1 << 20}}},
		"negative": {Pieces: []Piece{{Start: -1, End: 2}}},
		"turned":   {Pieces: []Piece{{Start: 5, End: 2}}},
	} {
		if _, _, err := New(made{cut: c}).Chunk(t.Context(), "a.go", api.CorpusCode, []byte(goFile(1, 1)),
			"hash"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	gone := errors.New("nobody there")
	if _, _, err := New(made{err: gone}).Chunk(t.Context(), "a.go", api.CorpusCode, []byte(goFile(1, 1)),
		"hash"); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

// crashed is a Syntax whose parser crashed on one content. made returns the given Cut.
type crashed struct{}

func (crashed) Cut(context.Context, File) (Cut, error) { return Cut{Reason: ReasonSkipped}, nil }

type made struct {
	cut Cut
	err error
}

func (m made) Cut(context.Context, File) (Cut, error) { return m.cut, m.err }

func TestManyChunksGoToTheSplitter(t *testing.T) {
	var b strings.Builder
	for i := range 1300 {
		fmt.Fprintf(&b, "f%d x =\n", i)
		for range 11 {
			b.WriteString("  some words that fill it\n")
		}
		b.WriteString("\n")
	}
	chunks, info := chunkFile(t, newChunker(), "a.hs", api.CorpusCode, b.String())
	if info.CutFrom != 0 || len(chunks) > MaxChunks || info.Lines != 1300*13 {
		t.Errorf("%+v, %d chunks", info, len(chunks))
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := newChunker().Chunk(ctx, "a.go", api.CorpusCode, []byte("package a"), "hash"); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Deep nesting neither overflows nor takes quadratic time.
func TestDeepNesting(t *testing.T) {
	for file, s := range map[string][2]string{
		"a.go": {"package a\nvar x = ", "(\n"}, "a.js": {"x = ", "f(function () {\n"}, "a.py": {"x = ", "[\n"},
		"a.json": {"", "{\"a\":\n"},
		"a.c":    {"int x = ", "{\n"}, "a.rb": {"", "module A\n"}, "a.lua": {"", "x = function()\n"}, "a.yaml": {"", "a:\n"},
	} {
		chunkFile(t, newChunker(), file, api.CorpusCode, s[0]+strings.Repeat(s[1], 5000))
	}
}

// Line terminators change neither lines nor names.
func TestCRLF(t *testing.T) {
	for _, file := range []string{"python.py", "go.go", "markdown.md", "haskell.hs", "ruby.rb", "elixir.ex"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		must(t, err)
		text := strings.Repeat(string(data)+"\n", 3)
		lf, _ := chunkFile(t, newChunker(), file, api.CorpusCode, text)
		crlf, _ := chunkFile(t, newChunker(), file, api.CorpusCode, strings.ReplaceAll(text, "\n", "\r\n"))
		names := func(chunks []api.Chunk) []string {
			return slices.Compact(slices.Sorted(slices.Values(symbolsOf(chunks))))
		}
		if a, b := names(lf), names(crlf); !slices.Equal(a, b) {
			t.Errorf("%s: %v with LF, %v with CRLF", file, a, b)
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
