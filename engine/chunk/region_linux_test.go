package chunk

import (
	"context"
	"strings"
	"sync"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
)

// What a large file's tree took goes back to the system; a small one's block stays for the next parse.
func TestRegionGivesBack(t *testing.T) {
	const block = 2 << 20
	r := newRegion()
	for _, functions := range []int{1, 20_000, 1} {
		leave := r.enter()
		p := sitter.NewParser()
		p.SetLanguage(goGrammar().native)
		tree, err := p.ParseCtx(context.Background(), nil, []byte("package a\n"+strings.Repeat("func f(a, b int) int { return a + b }\n", functions)))
		p.Close()
		leave()
		if err != nil {
			t.Fatal(err)
		}
		if n := tree.RootNode().NamedChildCount(); n != uint32(functions+1) {
			t.Errorf("%d functions and a clause, found %d", functions, n)
		}
		if got := r.size(); functions > 1 && got < 3*block || functions == 1 && got != block {
			t.Errorf("a tree of %d functions holds %d bytes", functions, got)
		}
		tree.Close()
		r.reset()
		if got := r.size(); got != block {
			t.Errorf("%d bytes are kept after %d functions", got, functions)
		}
		r = newRegion()
	}
}

// Parsers at work side by side, each in its region, make the trees that they make alone.
func TestRegionsSideBySide(t *testing.T) {
	texts := map[string]string{
		"go":     "package a\n" + strings.Repeat("func f(a int) error { return g(a, \"x\") }\n", 60),
		"python": strings.Repeat("def f(a):\n    if a:\n        return {'x': [a]}\n", 60),
		"rust":   strings.Repeat("fn f(a: &str) -> Option<u8> { a.bytes().next() }\n", 60),
	}
	shape := func(language, text string) string {
		made, err := parse(grammars[language](), text)
		if err != nil {
			t.Error(err)
			return ""
		}
		defer made.close()
		return types(made.RootNode())
	}
	alone := map[string]string{}
	for language, text := range texts {
		alone[language] = shape(language, text)
	}
	var g sync.WaitGroup
	for range 4 {
		for language, text := range texts {
			g.Go(func() {
				for range 10 {
					if shape(language, text) != alone[language] {
						t.Errorf("another tree of %s beside others", language)
					}
				}
			})
		}
	}
	g.Wait()
}

// types is a tree's types of nodes in brackets.
func types(n *sitter.Node) string {
	var b strings.Builder
	b.WriteString("(" + n.Type())
	for i := range int(n.ChildCount()) {
		b.WriteString(types(n.Child(i)))
	}
	return b.String() + ")"
}
