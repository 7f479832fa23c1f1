package share

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/vector"
)

func (s *storage) remote(t *testing.T, m Manifest) vector.Remote {
	t.Helper()
	there, err := newPlace(s.at)
	must(t, err)
	remote, err := there.remote(m.Folder)
	must(t, err)
	return remote
}

func (s *storage) rowsThere(t *testing.T, m Manifest, corpus api.Corpus) []vector.Key {
	t.Helper()
	var keys []vector.Key
	err := testTables(t).RemoteKeys(t.Context(), s.remote(t, m), store.TableName(corpus), func(k vector.Key) bool {
		keys = append(keys, k)
		return true
	})
	must(t, err)
	slices.SortFunc(keys, func(a, b vector.Key) int { return strings.Compare(a.ID, b.ID) })
	return keys
}

func rowsHere(t *testing.T, st *store.Store, corpus api.Corpus) []vector.Key {
	t.Helper()
	var keys []vector.Key
	var paths []string
	must(t, st.Export(t.Context(), corpus,
		func(f store.Exported) error { paths = append(paths, f.Path); return nil }))
	err := st.ExportVectors(t.Context(), corpus, paths, func(f store.FileChunks, vectors map[string]api.Vector) error {
		for _, c := range f.Chunks {
			if _, ok := vectors[c.ID]; ok {
				keys = append(keys, vector.Key{ID: c.ID, Path: c.Path, ContentHash: c.ContentHash})
			}
		}
		return nil
	})
	must(t, err)
	slices.SortFunc(keys, func(a, b vector.Key) int { return strings.Compare(a.ID, b.ID) })
	return keys
}

func (s *storage) wantSame(t *testing.T, st *store.Store, m Manifest) {
	t.Helper()
	for _, corpus := range api.Corpora {
		here, there := rowsHere(t, st, corpus), s.rowsThere(t, m, corpus)
		if !slices.Equal(here, there) || int64(len(there)) != m.Vectors[corpus] {
			t.Errorf("%s: %d rows on the storage, %d here, %d in the manifest", corpus, len(there), len(here), m.Vectors[corpus])
		}
	}
}

func TestOnlyChangesAreUploaded(t *testing.T) {
	s := newStorage(t)
	source := openSource(t)
	for i := range 40 {
		var lines []string
		for line := range 30 {
			lines = append(lines, fmt.Sprintf("func number%d() { step(%d) }", i, line))
		}
		put(t, source, api.CorpusCode, fmt.Sprintf("pkg/file%d.go", i), lines...)
	}
	put(t, source, api.CorpusDocs, "README.md", "How to boil water.")
	var stages []api.PublishStage
	first, err := Publish(t.Context(), s.at, Publication{Tables: testTables(t), Store: source, Project: "app",
		Progress: func(stage api.PublishStage, done, of int) {
			if done > of {
				t.Errorf("%s: %d of %d", stage, done, of)
			}
			if len(stages) == 0 || stages[len(stages)-1] != stage {
				stages = append(stages, stage)
			}
		}})
	if err != nil || first.Rows != 1201 ||
		!slices.Equal(stages, []api.PublishStage{api.PublishTexts, api.PublishVectors}) {
		t.Fatalf("first: %d rows, stages %v, %v", first.Rows, stages, err)
	}
	whole := s.Sent.Swap(0)
	c := openCopy(t, t.TempDir(), s.at)
	refresh(t, c, true)

	same := s.publish(t, source)
	if !same.Unchanged || same.Rows != 0 || !same.Published.Equal(first.Published) || s.Sent.Swap(0) != 0 {
		t.Errorf("unchanged: %+v", same)
	}
	refresh(t, c, false)

	put(t, source, api.CorpusCode, "pkg/file7.go", "func seven() {}", "func septem() {}")
	put(t, source, api.CorpusCode, "new.go", "func fresh() {}")
	must(t, source.Remove(t.Context(), api.CorpusCode, []string{"pkg/file8.go"}))
	next := s.publish(t, source)
	if next.Rows != 3 || next.Anew != nil || next.Folder == first.Folder || next.BuiltOn != 1 || next.Churn != 60+3 {
		t.Errorf("changed: %+v", next)
	}
	if sent := s.Sent.Swap(0); sent*4 > whole {
		t.Errorf("%d bytes were sent for three changed files, %d for all", sent, whole)
	}
	s.wantSame(t, source, next.Manifest)
	wantEqual(t, len(s.rowsThere(t, first.Manifest, api.CorpusCode)), 1200, "the publication before has: rows")
	refresh(t, c, true)
	wantFound(t, c, api.CorpusCode, "septem", "func septem() {}", "pkg/file7.go")
	wantFound(t, c, api.CorpusCode, "fresh", "func fresh() {}", "new.go")
	wantFound(t, c, api.CorpusDocs, "water", "How to boil water.", "README.md")

	again := s.publish(t, source)
	if !again.Unchanged || again.Folder != next.Folder {
		t.Errorf("unchanged after a change: %+v", again)
	}
}

func TestWrittenAnew(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, s *storage, m Manifest){
		"tables removed": func(t *testing.T, s *storage, m Manifest) {
			for _, key := range s.keys(t, m.Folder) {
				if _, err := s.Backend.DeleteObject("team", key); err != nil {
					t.Fatal(err)
				}
			}
		},
		"a row too few": func(t *testing.T, s *storage, m Manifest) {
			err := testTables(t).ChangeRemote(t.Context(), s.remote(t, m), store.TableName(api.CorpusCode),
				func(table *vector.Table) error { return table.DeletePaths(t.Context(), []string{"b.go"}) })
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStorage(t)
			source := openSource(t)
			put(t, source, api.CorpusCode, "a.go", "func alpha() {}")
			put(t, source, api.CorpusCode, "b.go", "func beta() {}")
			spoil(t, s, s.publish(t, source).Manifest)
			put(t, source, api.CorpusCode, "a.go", "func omega() {}")
			next := s.publish(t, source)
			if next.Anew == nil || next.Rows != 2 || next.BuiltOn != 0 {
				t.Errorf("published %+v, want all rows and why", next)
			}
			s.wantSame(t, source, next.Manifest)
		})
	}
}

func TestBuildOn(t *testing.T) {
	usual := Manifest{Folder: "vectors/x", Chunker: "1", Model: "m", BuiltOn: 3, Churn: 5,
		Vectors: map[api.Corpus]int64{api.CorpusCode: 90, api.CorpusDocs: 10}}
	for name, c := range map[string]struct {
		change                   func(*Manifest)
		comparable, needsRewrite bool
	}{
		"usual":               {func(*Manifest) {}, true, false},
		"another chunker":     {func(m *Manifest) { m.Chunker = "2" }, false, false},
		"another model":       {func(m *Manifest) { m.Model = "n" }, false, false},
		"published by words":  {func(m *Manifest) { m.Folder = "" }, false, false},
		"no rows":             {func(m *Manifest) { m.Vectors, m.Churn = nil, 0 }, false, false},
		"half of it replaced": {func(m *Manifest) { m.Churn = 50 }, true, false},
		"more than half":      {func(m *Manifest) { m.Churn = 51 }, true, true},
		"many times":          {func(m *Manifest) { m.BuiltOn = maxIncrements }, true, true},
	} {
		w := publisher{before: usual}
		c.change(&w.before)
		w.result.Manifest = Manifest{Chunker: "1", Model: "m"}
		wantEqual(t, w.comparable(), c.comparable, "%s: comparable", name)
		wantEqual(t, w.before.needsRewrite(), c.needsRewrite, "%s: needsrewrite", name)
	}
}
