package chunk

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/lang"
)

// newChunker returns a Chunker with parsers in this process, like the worker's.
func newChunker() *Chunker { return New(NewTrees(treesitter.Parse)) }

func mustGrammar(t testing.TB, language string) *grammar {
	t.Helper()
	g, err := grammarOf(language)
	must(t, err)
	return g
}

func withTree(t testing.TB, src *source, g *grammar, f func(*syntax, *item)) {
	t.Helper()
	made, err := g.parse(treesitter.Parse, src.text)
	must(t, err)
	defer made.Close()
	top := made.Root()
	s := &syntax{Reading: lang.Reading{Text: src.text}, src: src, g: g}
	f(s, &item{span: span{0, len(src.text)}, last: max(src.lines()-1, 0), node: top, named: true})
}

// A namespace without braces contains the definitions up to the next namespace.
func TestNamespaces(t *testing.T) {
	filler := strings.Repeat("    // what takes room, so that the file is cut\n", 30)
	for name, text := range map[string]string{
		"a.cs": "using System;\n" + strings.Repeat("using System.Text;\n", 20) +
			"\nnamespace Shop.Orders;\n\npublic interface Till\n{\n" + filler + "}\n\npublic class Cart\n{\n" + filler +
			"    int size;\n}\n",
		"a.php": "<?php\n\nnamespace Shop.Other;\n\nclass Till\n{\n" + filler +
			"}\n\nnamespace Shop.Orders;\n\nclass Cart\n{\n" + filler + "    private $size;\n}\n",
	} {
		text = strings.ReplaceAll(text, "Shop.", map[string]string{"a.cs": "Shop.", "a.php": `Shop\`}[name])
		chunks, _ := chunkFile(t, newChunker(), name, api.CorpusCode, text)
		last := chunks[len(chunks)-1]
		if last.StartLine == 0 { // the outline
			last = chunks[len(chunks)-2]
		}
		got := strings.ReplaceAll(strings.Join(last.Breadcrumb, " > "), `\`, ".")
		if got != "Shop.Orders > Cart" {
			t.Errorf("%s: %q of %d chunks", name, got, len(chunks))
		}
	}
}
