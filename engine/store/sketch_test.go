package store

import (
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
)

// An index of an earlier version without sketches gets them by compaction, and returns the same rows.
func TestSketchMadeByCompaction(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	commit(t, s, api.CorpusCode, file("a.go", "alpha", "beta"), file("b.go", "gamma"))
	fill(t, s, 10)
	if s.NeedsCompaction() {
		t.Error("a new index wants compaction")
	}
	must(t, s.Close())
	sketches, err := filepath.Glob(filepath.Join(dir, "*.lancedb", "*.sketch"))
	if err != nil || len(sketches) == 0 {
		t.Fatal(sketches, err)
	}
	for _, folder := range sketches {
		must(t, os.RemoveAll(folder))
	}
	s = open(t, dir)
	nearest := func() string {
		t.Helper()
		v := s.View()
		defer v.Release()
		hits, err := v.Nearest(t.Context(), api.CorpusCode, vectorFor("gamma"), 1, Filter{})
		if err != nil || len(hits) != 1 {
			t.Fatal(hits, err)
		}
		return hits[0].Path
	}
	if p := nearest(); p != "b.go" {
		t.Errorf("without a sketch: %s", p)
	}
	if !s.NeedsCompaction() {
		t.Error("an index without a sketch wants no compaction")
	}
	must(t, s.Compact(t.Context()))
	if s.NeedsCompaction() {
		t.Error("compaction left the index without a sketch")
	}
	if p := nearest(); p != "b.go" {
		t.Errorf("with a sketch: %s", p)
	}
}
