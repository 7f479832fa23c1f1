package text

import "testing"

// A merged segment stores a word of a single row in a short form, after which the iterator of the dictionary miscounts
// other words.
func TestPopularInMergedSegments(t *testing.T) {
	x := testIndex(t,
		row("a.go", "func aardvark loads", "aardvark"),
		row("b.go", "func rotate turns keys", "rotate"),
		row("c.go", "rotate()"), row("d.go", "rotate()"), row("e.go", "gone"),
	)
	must(t, x.Apply(t.Context(), Change{Delete: []Key{KeyOf(row("e.go", "gone"))}}))
	for _, merged := range []bool{false, true} {
		if merged {
			must(t, x.Purge(t.Context()))
		}
		got, err := x.Popular(t.Context(), 10, func(Key) bool { return true })
		must(t, err)
		if len(got) != 1 || got[0].Word != "rotate" || got[0].Uses != 2 || len(got[0].Names) != 1 {
			t.Errorf("merged %v: %+v", merged, got)
		}
	}
}
