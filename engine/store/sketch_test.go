package store

import (
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
)

// An index with a missing, damaged or outdated sketch, like that of an earlier version, returns the same rows, and gets
// its sketch by compaction.
func TestSketchMadeByCompaction(t *testing.T) {
	for name, spoil := range map[string]func(sketch string) error{
		"missing": os.RemoveAll,
		"damaged": func(sketch string) error { return os.Truncate(filepath.Join(sketch, "codes"), 100) },
		"behind":  func(sketch string) error { return os.Truncate(filepath.Join(sketch, "bits"), 64*2) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			commit(t, s, api.CorpusCode, file("a.go", "alpha", "beta"), file("b.go", "gamma"), file("c.go", "delta"))
			fill(t, s, 10)
			want(t, "compaction of a new index", s.NeedsCompaction(), false)
			must(t, s.Close())
			must(t, spoil(filepath.Join(dir, "index.lancedb", "project_docs.sketch")))
			s = open(t, dir)
			must(t, s.Remove(t.Context(), api.CorpusCode, []string{"c.go"}))
			must(t, s.Checkpoint())
			want(t, "without a sketch", nearest(t, s, api.CorpusCode, "gamma", 1, Filter{}), []string{"b.go:1"})
			want(t, "compaction without a sketch", s.NeedsCompaction(), true)
			must(t, s.Compact(t.Context()))
			want(t, "compaction again", s.NeedsCompaction(), false)
			want(t, "with a sketch", nearest(t, s, api.CorpusCode, "gamma", 1, Filter{}), []string{"b.go:1"})
			clean(t, s)
		})
	}
}
