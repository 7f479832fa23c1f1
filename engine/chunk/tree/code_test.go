package tree

import (
	"testing"
)

// small is a tree of a text of 12 bytes: a root, two children, and one of the first's.
func small() *Tree {
	return New(NamesOf("go"), []Raw{
		{Start: 0, End: 12, Parent: noParent, Next: 4, Symbol: 1},
		{Start: 1, End: 6, Parent: 0, Next: 3, Symbol: 2, Field: 3},
		{Start: 2, End: 5, Parent: 1, Next: 3, Symbol: isError, Flags: flagError},
		{Start: 8, End: 12, Parent: 0, Next: 4, Symbol: 3},
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
