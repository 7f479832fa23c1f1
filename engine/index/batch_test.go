package index

import "testing"

// Batches end at 2 MB or at the remaining size, but have at least 1 MB unless they reach the limit of chunks.
func TestBatchesShrink(t *testing.T) {
	for _, c := range []struct {
		chunks, bytes, divisor int
		left                   int64
		want                   bool
	}{
		{10, 2 << 20, 1, 1 << 30, true},
		{10, 2<<20 - 1, 1, 1 << 30, false},
		{10, 3 << 19, 1, 3 << 19, true},
		{10, 3 << 19, 1, 3<<19 + 1, false},
		{10, 1 << 20, 1, 0, true},
		{10, 1<<20 - 1, 1, 0, false},
		{10, 1 << 20, 2, 1 << 30, true},
		{4000, 1, 1, 1 << 30, true},
	} {
		b := newCommitBatch()
		b.chunks, b.bytes = c.chunks, c.bytes
		if got := b.ready(c.divisor, c.left); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
