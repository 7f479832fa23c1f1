package store

import (
	"fmt"
	"sync"
	"testing"

	"searchmcp/engine/api"
)

// There is no deadlock while a table is compacted repeatedly.
func TestCheckpointDuringCompaction(t *testing.T) {
	s := open(t, t.TempDir())
	old := compactionLimits
	t.Cleanup(func() { compactionLimits = old })
	compactionLimits = thresholds{-100, -100} // always compact
	var list []FileChunks
	for i := range 20 {
		list = append(list, content(fmt.Sprintf("f%d.go", i), 0))
	}
	commit(t, s, api.CorpusCode, list...)
	fill(t, s, 100)
	c := s.corpora[api.CorpusCode]
	const rounds = 12
	var wg sync.WaitGroup
	wg.Go(func() {
		for range rounds {
			if err := s.compact(t.Context(), c, (*corpus).fragmented); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Go(func() {
		for range 20 * rounds {
			if err := s.Checkpoint(); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Go(func() {
		for i := range rounds {
			commit(t, s, api.CorpusCode, content(fmt.Sprintf("f%d.go", i%20), i+1))
		}
	})
	wg.Wait()
	must(t, s.Close())
}
