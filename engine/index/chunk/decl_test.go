package chunk

import (
	"fmt"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// TestDecls checks the lines of chunks' declarations.
func TestDecls(t *testing.T) {
	for _, tt := range []struct {
		name, path, text string
		want             []string // first-last kind scope.name: signature
	}{
		{"comments belong to what follows", "a.go",
			"package a\n\n// B does it.\n// Well.\nfunc B(\n\tx int,\n) int {\n\treturn x\n}\n",
			[]string{"3-9 function B: func B( x int, ) int"}},
		{"a comment behind something does not", "a.go",
			"package a\n\nvar a = 1 // one\nfunc b() {\n}\n\n// C is.\ntype C struct {\n\tD int // four\n" +
				"\tE int\n}\n",
			[]string{"3-3 value a: var a = 1", "4-5 function b: func b()", "7-11 type C: type C struct"}},
		{"members know their type", "a.py",
			"class A:\n    \"\"\"An A.\"\"\"\n\n    @property\n    def b(self):\n        return 1\n\n" +
				"    # see b\n    def c(self): pass\n",
			[]string{"1-9 class A: class A", "4-6 method A.b: def b(self)", "8-9 method A.c: def c(self): pass"}},
		{"overloads are each their own", "A.java",
			"class A {\n  int f(int x) { return x; }\n  int f(long x) {\n    return 1;\n  }\n}\n",
			[]string{"1-6 class A: class A", "2-2 method A.f: int f(int x)", "3-5 method A.f: int f(long x)"}},
		{"sections end where the next begins", "a.md", "# A\n\nText.\n\n## B\n\nMore.\n\n\n## C\nEnd.\n",
			[]string{"1-3 section A: # A", "5-7 section A.B: ## B", "10-11 section A.C: ## C"}},
		{"lines, where there is no grammar", "a.vim",
			"function! A()\n  return 1\nendfunction\n\nfunction! B()\nendfunction\n",
			[]string{"1-3 value A: function! A()", "5-6 value B: function! B()"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			chunks, _ := chunkFile(t, newChunker(), tt.path, api.CorpusCode, tt.text)
			var got []string
			for _, d := range chunks[0].Decls {
				got = append(got, fmt.Sprintf("%d-%d %s %s: %s", d.Start, d.End, d.Kind,
					strings.Join(append(d.Scope[:len(d.Scope):len(d.Scope)], d.Name), "."), d.Signature))
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// Each chunk of a long function has the function's whole range.
func TestPartsKnowTheirDeclaration(t *testing.T) {
	text := "package a\n\n// Long is long.\nfunc Long() {\n" +
		strings.Repeat("\tprintln(\"something to say at some length\")\n", 300) + "}\n"
	chunks, _ := chunkFile(t, newChunker(), "a.go", api.CorpusCode, text)
	parts := 0
	for _, c := range chunks {
		if c.StartLine < 4 {
			continue
		}
		parts++
		if len(c.Decls) != 1 || c.Decls[0].Start != 3 || c.Decls[0].Line != 4 || c.Decls[0].End != 305 {
			t.Errorf("lines %d to %d: %+v", c.StartLine, c.EndLine, c.Decls)
		}
	}
	if parts < 2 {
		t.Fatalf("%d parts", parts)
	}
}

// Comments end with their lines, at any line end.
func TestCommentOfCarriageReturns(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := strings.ReplaceAll("/// Renews the keys.\nvoid rotate() {\n}\n// other\n", "\n", end)
		d := Plain("dart", Decode([]byte(text)))
		if len(d.Definitions) != 1 || d.Comment(d.Definitions[0]) != "Renews the keys." {
			t.Errorf("with %q: %+v", end, d.Definitions)
		}
	}
}
