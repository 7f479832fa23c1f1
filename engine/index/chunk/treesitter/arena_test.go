package treesitter

import (
	"strings"
	"sync"
	"testing"

	"searchmcp/engine/lang/tree"
)

// A tree's memory comes from the arena; extra blocks of a large tree are freed, a small one's block is reused.
func TestArenaGivesBack(t *testing.T) {
	const block = 2 << 20
	a := arenas.New().(*arena)
	for _, functions := range []int{1, 5_000, 1} {
		text := "package a\n" + strings.Repeat("func f(a, b int) int { return a + b }\n", functions)
		made, err := parse(a, "go", text)
		must(t, err)
		if n := named(made.Root()); n != functions+1 {
			t.Errorf("%d functions and a clause, found %d", functions, n)
		}
		made.Close()
		if got := a.size(); got != block {
			t.Errorf("%d bytes are kept after %d functions", got, functions)
		}
	}
}

// Concurrent parsers, each with its arena, make the same trees as alone.
func TestArenasSideBySide(t *testing.T) {
	texts := map[string]string{
		"go":     "package a\n" + strings.Repeat("func f(a int) error { return g(a, \"x\") }\n", 60),
		"python": strings.Repeat("def f(a):\n    if a:\n        return {'x': [a]}\n", 60),
		"lua":    strings.Repeat("local a = 'it is \"quoted\"'\nlocal b = \"it's\"\nlocal c = [==[ ]] ]==]\n", 300),
		"rust":   strings.Repeat("fn f(a: &str) -> Option<u8> { a.bytes().next() }\n", 60),
	}
	shape := func(name, text string) string {
		made, err := Parse(name, text)
		if err != nil {
			t.Error(err)
			return ""
		}
		defer made.Close()
		return types(made.Root())
	}
	alone := map[string]string{}
	for name, text := range texts {
		if alone[name] = shape(name, text); !strings.Contains(alone[name], "(") {
			t.Errorf("%s: no tree: %s", name, alone[name])
		}
	}
	var g sync.WaitGroup
	for range 4 {
		for name, text := range texts {
			g.Go(func() {
				for range 20 {
					if got := shape(name, text); got != alone[name] {
						t.Errorf("%s beside others: %.200s", name, got)
					}
				}
			})
		}
	}
	g.Wait()
}

func types(n tree.Node) string {
	var b strings.Builder
	b.WriteString(n.Type())
	for i := range named(n) {
		b.WriteString("(" + types(n.NamedChild(i)) + ")")
	}
	return b.String()
}
