package chunk

import (
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
)

func withTree(t testing.TB, src *source, g *grammar, f func(*syntax, *item)) {
	t.Helper()
	tree, err := newParsers().parse(g, src.text)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	top := tree.RootNode()
	s := &syntax{src: src, g: g, tree: tree, cursor: sitter.NewTreeCursor(top)}
	defer s.cursor.Close()
	f(s, &item{span: span{0, len(src.text)}, last: max(src.lines()-1, 0), node: top, named: true})
}
