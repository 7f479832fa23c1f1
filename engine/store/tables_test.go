package store

import (
	"sync"
	"testing"

	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/lance"
)

var testTables = sync.OnceValue(func() *vector.DB {
	native, err := lance.New()
	if err != nil {
		return nil
	}
	return vector.NewDB(native)
})

// The fragments of a first index of any size need no compaction. The fragments of as many changes of a single file do.
func TestFirstIndexIsNotDue(t *testing.T) {
	for _, rows := range []int{1_000, 10_000, 65_536, 103_067, 150_000, 300_000, 1_000_000} {
		batches := 0
		for done := 0; done < rows; batches++ {
			done += min(max(1024, done/64), addBatch) // index.vectorBatchSize
		}
		for tables := 1; tables <= 2; tables++ {
			n := batches * tables
			if tooMany(vector.Shape{Tables: tables, Fragments: n, Versions: n}, rows) {
				t.Errorf("%d rows in %d batches and %d tables are due", rows, batches, tables)
			}
			n += extraFragments + 4*(rows/addBatch+1)*tables
			if !tooMany(vector.Shape{Tables: tables, Fragments: n, Versions: n}, rows) {
				t.Errorf("%d fragments of %d rows are not due", n, rows)
			}
		}
	}
}
