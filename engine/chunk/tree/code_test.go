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

// small is a tree of a text of 12 bytes: a root, two children, and one of the first's, which is an error.
func small() *Tree {
	return New(NamesOf("go"), []Raw{
		{Start: 0, End: 12, Parent: noParent, Next: 4, Symbol: identifier},
		{Start: 1, End: 6, Parent: 0, Next: 3, Symbol: semicolon, Field: 3},
		{Start: 2, End: 5, Parent: 1, Next: 3, Symbol: isError, Flags: flagError},
		{Start: 8, End: 12, Parent: 0, Next: 4, Symbol: blank},
	})
}

// marked is small with marks before, between, in and behind its nodes.
func marked() *Tree {
	return New(NamesOf("go"), []Raw{
		{Start: 0, End: 12, Parent: noParent, Next: 9, Symbol: identifier},
		{Start: 0, End: 1, Parent: 0, Next: 2, Symbol: semicolon, Flags: flagError},
		{Start: 1, End: 6, Parent: 0, Next: 6, Symbol: semicolon, Field: 3},
		{Start: 1, End: 2, Parent: 2, Next: 4, Symbol: semicolon},
		{Start: 2, End: 5, Parent: 2, Next: 5, Symbol: isError, Flags: flagError},
		{Start: 5, End: 6, Parent: 2, Next: 6, Symbol: semicolon},
		{Start: 6, End: 7, Parent: 0, Next: 7, Symbol: semicolon},
		{Start: 8, End: 12, Parent: 0, Next: 9, Symbol: blank},
		{Start: 12, End: 12, Parent: 0, Next: 9, Symbol: semicolon},
	})
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
		w, g := want.nodes[i], got.nodes[i]
		w.t, g.t = nil, nil
		if w != g {
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

// Whatever the bytes are, nodes lie within each other, one behind the other.
func FuzzDecode(f *testing.F) {
	var e encoder
	e.write(small())
	f.Add(e.raw, 12)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		made, err := decode(NamesOf("go"), b, size)
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
