package text

import (
	"fmt"
	"testing"
	"time"
)

func segments(tb testing.TB, x *Index) int {
	tb.Helper()
	r, err := x.reader()
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	return len(newRows(r).segments)
}

func add(tb testing.TB, x *Index, from, to int) {
	tb.Helper()
	for i := from; i < to; i++ {
		if err := x.Apply(tb.Context(), Change{Rows: cut(fmt.Sprintf("f%03d.go", i), "func Load reads a file")}); err != nil {
			tb.Fatal(err)
		}
	}
}

// merged waits until there are fewer segments than before.
func merged(tb testing.TB, x *Index, before int) {
	tb.Helper()
	for end := time.Now().Add(20 * time.Second); segments(tb, x) >= before; {
		if time.Now().After(end) {
			tb.Fatalf("still %d segments", before)
		}
	}
}

// While merging is held nothing is merged and all is found; then it is, without another change.
func TestHoldMerges(t *testing.T) {
	x := testIndex(t, row("a.go", "package a"))
	release := x.HoldMerges()
	again := x.HoldMerges()
	const files = 12
	add(t, x, 0, files)
	if n := segments(t, x); n != files+1 {
		t.Errorf("%d segments of %d changes", n, files+1)
	}
	release()
	release() // does nothing the second time
	add(t, x, files, files+1)
	if n := segments(t, x); n != files+2 {
		t.Errorf("%d segments although merging is still held by another", n)
	}
	again()
	merged(t, x, files+2)
	if n := len(find(t, x, Query{Text: "load", K: 2 * files})); n != files+1 {
		t.Errorf("%d files found of %d", n, files+1)
	}
}

// However much is written, segments don't pile up without end.
func TestHeldSegmentsAreBounded(t *testing.T) {
	x := testIndex(t)
	defer x.HoldMerges()()
	add(t, x, 0, mostHeld)
	merged(t, x, mostHeld)
}

// An index closes while its merger waits.
func TestCloseWhileHeld(t *testing.T) {
	x, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	release := x.HoldMerges()
	defer release()
	add(t, x, 0, 3)
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}
