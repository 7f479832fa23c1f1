package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

type quickVectors string

func (q quickVectors) Chunk(c api.Chunk) api.Vector { return vectorFor("static " + c.Text) }
func (q quickVectors) Hash() string                 { return string(q) }

func staticOptions() Options {
	return Options{Tables: testTables(), ModelHash: "model", ChunkerVersion: "1", Static: quickVectors("table")}
}

func quick(tb testing.TB, s *Store, all bool) (made int) {
	tb.Helper()
	for _, c := range api.Corpora {
		for {
			n, err := s.FillStatic(tb.Context(), c, 3, all)
			must(tb, err)
			if n == 0 {
				break
			}
			made += n
		}
	}
	return made
}

func nearestStatic(tb testing.TB, s *Store, text string, all bool) []string {
	tb.Helper()
	return nearest(tb, s, api.CorpusCode, "static "+text, 100, Filter{Static: true, All: all})
}

func exact(tb testing.TB, s *Store, all bool) {
	tb.Helper()
	for _, c := range s.corpora {
		var got, want []string
		must(tb, c.quick.Each(func(k vector.Key) { got = append(got, k.Path+k.ContentHash+k.ID) }))
		for p, e := range c.entries {
			if _, missing := c.missing.files[p]; !missing && !all {
				continue
			}
			list, err := c.committed(tb.Context(), []string{p})
			must(tb, err)
			for _, f := range list {
				for _, ch := range f.Chunks {
					want = append(want, p+e.hash.String()+ch.ID)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			tb.Errorf("%s: %d static rows, want %d", c.name, len(got), len(want))
		}
	}
}

func TestStatic(t *testing.T) {
	s := openWith(t, t.TempDir(), staticOptions())
	commit(t, s, api.CorpusCode, file("a.go", "one", "two"), file("b.go", "three"), file("c.go"))
	commit(t, s, api.CorpusDocs, file("d.md", "four"))
	if got := nearestStatic(t, s, "two", false); len(got) != 3 || got[0] != "a.go:2" {
		t.Errorf("after the commit: %v", got)
	}
	if st := s.Stats(); st.Static != 4 || st.Vectors != 0 {
		t.Errorf("%d static vectors and %d others", st.Static, st.Vectors)
	}
	if n := quick(t, s, false); n != 0 {
		t.Errorf("%d static vectors were lacking", n)
	}

	chunks, err := s.Missing(t.Context(), api.CorpusCode, 1)
	if err != nil || len(chunks) != 1 {
		t.Fatal(chunks, err)
	}
	first := chunks[0]
	must(t, s.PutVectors(t.Context(), api.CorpusCode, []VectorRow{{first, vectorFor(first.Text)}}))
	if got := nearest(t, s, api.CorpusCode, first.Text, 9, Filter{}); len(got) != 1 {
		t.Errorf("by the model's vectors: %v", got)
	}
	if got := nearestStatic(t, s, first.Text, false); len(got) != 2 {
		t.Errorf("beside one of the model's: %v", got)
	}
	exact(t, s, false)

	fill(t, s, 10)
	if got := nearestStatic(t, s, "two", false); len(got) != 0 || s.Stats().Static != 0 {
		t.Errorf("beside all of the model's: %v", got)
	}
	if n := quick(t, s, false); n != 0 {
		t.Errorf("%d static vectors were lacking", n)
	}
	if k := s.corpora[api.CorpusCode].quick; k.Removed() != 0 {
		t.Errorf("%d removed rows stay on disk", k.Removed())
	}

	commit(t, s, api.CorpusCode, file("a.go", "five")) // the changed file has no vector of the model
	if got := nearestStatic(t, s, "five", false); !slices.Equal(got, []string{"a.go:1"}) {
		t.Errorf("after a change: %v", got)
	}
	must(t, s.Remove(t.Context(), api.CorpusCode, []string{"a.go"}))
	if got := nearestStatic(t, s, "five", false); len(got) != 0 {
		t.Errorf("after the removal: %v", got)
	}
	exact(t, s, false)
	fill(t, s, 10)
	clean(t, s)
}

// An index of an earlier version keeps the model's vectors and gets the missing static vectors. With the setting light
// all chunks get static vectors, which are removed again without the setting.
func TestStaticOfOlderIndex(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	commit(t, s, api.CorpusCode, file("a.go", "one", "two"), file("b.go", "three"))
	fill(t, s, 10)
	commit(t, s, api.CorpusCode, file("c.go", "four", "five"))
	must(t, s.Close())
	s = openWith(t, dir, staticOptions())
	if n := quick(t, s, false); n != 2 {
		t.Errorf("%d static vectors made, want those of c.go", n)
	}
	exact(t, s, false)
	if got := nearestStatic(t, s, "four", false); len(got) != 2 || got[0] != "c.go:1" {
		t.Errorf("found %v", got)
	}
	if st := s.Stats(); st.Vectors != 3 || st.Static != 2 {
		t.Errorf("%d vectors and %d static ones, want 3 and 2", st.Vectors, st.Static)
	}
	if n := quick(t, s, true); n != 3 {
		t.Errorf("light: %d made, want those of the others", n)
	}
	exact(t, s, true)
	if got := nearestStatic(t, s, "one", true); len(got) != 5 || got[0] != "a.go:1" {
		t.Errorf("light: found %v", got)
	}
	quick(t, s, false)
	exact(t, s, false)
	fill(t, s, 10)
	quick(t, s, false)
	exact(t, s, false)
	clean(t, s)
}

// After a restart rows are kept. The rows of another space or of damaged files are made again, and files that another
// program has committed get rows.
func TestStaticAfterRestart(t *testing.T) {
	dir := t.TempDir()
	s := openWith(t, dir, staticOptions())
	commit(t, s, api.CorpusCode, file("a.go", "one", "two"), file("b.go", "three"))
	must(t, s.Close())

	s = openWith(t, dir, staticOptions())
	if got := nearestStatic(t, s, "two", false); len(got) != 3 {
		t.Errorf("after a restart: %v", got)
	}
	if n := quick(t, s, false); n != 0 {
		t.Errorf("%d made after a restart", n)
	}
	must(t, s.Close())

	o := staticOptions()
	o.Static = nil // a program without static vectors
	s = openWith(t, dir, o)
	commit(t, s, api.CorpusCode, file("b.go", "four"))
	must(t, s.Close())
	s = openWith(t, dir, staticOptions())
	if n := quick(t, s, false); n != 1 {
		t.Errorf("%d made after another program's commit, want 1", n)
	}
	exact(t, s, false)
	must(t, s.Close())

	o.Static = quickVectors("another table")
	s = openWith(t, dir, o)
	if n := quick(t, s, false); n != 3 {
		t.Errorf("%d made for another table, want all", n)
	}
	exact(t, s, false)
	must(t, s.Close())

	for _, name := range []string{"bits", "codes", "names"} {
		file := filepath.Join(dir, "static", name)
		raw, err := os.ReadFile(file)
		must(t, err)
		raw[len(raw)/2] ^= 0x55
		must(t, os.WriteFile(file, raw, 0o600))
		s = openWith(t, dir, o)
		if n := quick(t, s, false); n != 3 {
			t.Errorf("%d made after damage of %s, want all", n, name)
		}
		exact(t, s, false)
		must(t, s.Close())
	}
}

func TestStaticOfAnotherModel(t *testing.T) {
	dir := t.TempDir()
	s := openWith(t, dir, staticOptions())
	commit(t, s, api.CorpusCode, file("a.go", "one", "two"))
	fill(t, s, 10)
	must(t, s.Close())
	o := staticOptions()
	o.ModelHash = "another"
	s = openWith(t, dir, o)
	quick(t, s, false)
	if st := s.Stats(); st.Vectors != 0 || st.Static != 2 {
		t.Errorf("%d vectors and %d static ones, want 0 and 2", st.Vectors, st.Static)
	}
}

func TestStaticOfUnknownTable(t *testing.T) {
	s := openWith(t, t.TempDir(), staticOptions())
	commit(t, s, api.CorpusCode, file("a.go", "one", "two"))
	fill(t, s, 10)
	quick(t, s, false)
	c := s.corpora[api.CorpusCode]
	must(t, c.vectors.Close())
	c.missingKnown = false
	if n, err := s.FillStatic(t.Context(), api.CorpusCode, 100, false); n != 0 || err == nil {
		t.Errorf("%d made, %v", n, err)
	}
}

func TestStaticWithoutTables(t *testing.T) {
	o := staticOptions()
	o.Tables = nil
	s, err := Open(t.Context(), t.TempDir(), o)
	must(t, err)
	defer s.Close()
	commit(t, s, api.CorpusCode, file("a.go", "one", "two"))
	if got := nearestStatic(t, s, "two", false); len(got) != 2 || got[0] != "a.go:2" {
		t.Errorf("found %v", got)
	}
	if n := quick(t, s, false); n != 0 {
		t.Errorf("%d were lacking", n)
	}
}

func TestStaticGeneration(t *testing.T) {
	s := openWith(t, t.TempDir(), staticOptions())
	commit(t, s, api.CorpusCode, file("a.go", "one"), file("old.go", "gone"))
	next, err := s.NextGeneration(t.Context())
	must(t, err)
	commit(t, next, api.CorpusCode, file("a.go", "two"))
	must(t, s.Switch(t.Context(), next))
	if got := nearestStatic(t, s, "two", false); !slices.Equal(got, []string{"a.go:1"}) {
		t.Errorf("found %v", got)
	}
	quick(t, s, false)
	exact(t, s, false)
	commit(t, s, api.CorpusCode, file("long.go", slices.Repeat([]string{"line"}, 2*staticBatch)...)) // more than one batch
	s.corpora[api.CorpusCode].closeStatic()                                                          // as after an error
	if n := quick(t, s, false); n != 0 {
		t.Errorf("%d were lacking", n)
	}
	exact(t, s, false)
}

func TestStaticNotWritten(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), staticOptions())
	must(t, err)
	defer s.Close()
	must(t, s.corpora[api.CorpusCode].quick.Close())
	commit(t, s, api.CorpusCode, file("a.go", "one", "two"))
	if n, err := s.FillStatic(t.Context(), api.CorpusCode, 100, true); err != nil || n != 2 {
		t.Errorf("%d made, %v; want both", n, err)
	}
}

func TestStaticPurge(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, staticOptions())
	must(t, err)
	defer s.Close()
	commit(t, s, api.CorpusCode, file("kept.go", "one"))
	commit(t, s, api.CorpusCode, file("deleted-by-hand.go", "two"))
	must(t, s.Remove(t.Context(), api.CorpusCode, []string{"deleted-by-hand.go"}))
	must(t, s.Purge(t.Context()))
	if s.corpora[api.CorpusCode].staticRemoved() {
		t.Error("removed rows are still there")
	}
	if n, err := s.FillStatic(t.Context(), api.CorpusCode, 100, true); err != nil || n != 1 {
		t.Errorf("%d made, %v; want the kept file's", n, err)
	}
}
