package tree

import (
	"bytes"
	"testing"
)

// Types of nodes of Go's grammar.
const (
	identifier = 1
	semicolon  = 3
	blank      = 8
)

// treeOf returns a tree of Go's grammar with the given nodes and the fields that follow from them.
func treeOf(raw ...Raw) *Tree {
	names := NamesOf("go")
	t := New(raw)
	for i := range t.nodes {
		n := &t.nodes[i]
		n.self, n.language = uint32(i), names.Number
		n.flags |= names.flags(n.symbol)
	}
	return t
}

// small is the tree of a file of 12 bytes: a root with two children. The first child contains an error.
func small() *Tree {
	return treeOf(
		Raw{start: 0, end: 12, parent: noParent, next: 4, symbol: identifier},
		Raw{start: 1, end: 6, parent: 0, next: 3, symbol: semicolon, field: 3},
		Raw{start: 2, end: 5, parent: 1, next: 3, symbol: isError, flags: flagError},
		Raw{start: 8, end: 12, parent: 0, next: 4, symbol: blank},
	)
}

// marked is small with additional marks.
func marked() *Tree {
	return treeOf(
		Raw{start: 0, end: 12, parent: noParent, next: 9, symbol: identifier},
		Raw{start: 0, end: 1, parent: 0, next: 2, symbol: semicolon, flags: flagError},
		Raw{start: 1, end: 6, parent: 0, next: 6, symbol: semicolon, field: 3},
		Raw{start: 1, end: 2, parent: 2, next: 4, symbol: semicolon},
		Raw{start: 2, end: 5, parent: 2, next: 5, symbol: isError, flags: flagError},
		Raw{start: 5, end: 6, parent: 2, next: 6, symbol: semicolon},
		Raw{start: 6, end: 7, parent: 0, next: 7, symbol: semicolon},
		Raw{start: 8, end: 12, parent: 0, next: 8, symbol: blank},
		Raw{start: 12, end: 12, parent: 0, next: 9, symbol: semicolon},
	)
}

func TestCode(t *testing.T) {
	b, ok := Encode(small())
	if !ok {
		t.Fatal("not written")
	}
	got, err := Decode(NamesOf("go"), b, 12)
	if err != nil {
		t.Fatal(err)
	}
	want := small()
	for i := range want.nodes {
		if w, g := want.nodes[i], got.nodes[i]; w != g {
			t.Errorf("node %d is %+v, want %+v", i, g, w)
		}
	}
	if without, ok := Encode(marked()); !ok || !bytes.Equal(without, b) {
		t.Error("marks are written")
	}
	if _, err := Decode(NamesOf("go"), b, 11); err == nil {
		t.Error("a shorter text's tree")
	}
	overlapping := small()
	overlapping.nodes[3].start = 5
	if _, ok := Encode(overlapping); ok {
		t.Error("nodes that overlap are written")
	}
}

// For any bytes, nodes are nested and siblings are in order.
func FuzzDecode(f *testing.F) {
	b, _ := Encode(small())
	f.Add(b, 12)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		made, err := Decode(NamesOf("go"), b, size)
		if err != nil {
			return
		}
		defer made.Close()
		count := 0
		var walk func(n Node)
		walk = func(n Node) {
			count++
			at := n.StartByte()
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if c.Parent() != n || c.StartByte() < at || c.EndByte() < c.StartByte() || c.EndByte() > n.EndByte() {
					t.Fatalf("%+v in %+v", c, n)
				}
				at = c.EndByte()
				_ = c.Type()
				walk(c)
			}
		}
		walk(made.Root())
		if count != len(made.nodes) || int(made.Root().EndByte()) > size {
			t.Errorf("%d nodes of %d, to %d of %d", count, len(made.nodes), made.Root().EndByte(), size)
		}
	})
}
