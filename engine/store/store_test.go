package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func open(tb testing.TB, dir string) *Store {
	tb.Helper()
	return openWith(tb, dir, Options{Tables: testTables(), ModelHash: "model", ChunkerVersion: "1"})
}

func openWith(tb testing.TB, dir string, o Options) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), dir, o)
	must(tb, err)
	tb.Cleanup(func() { must(tb, s.Close()) })
	needVectors(tb, s)
	return s
}

func needVectors(tb testing.TB, s *Store) {
	tb.Helper()
	err := s.VectorProblem()
	if errors.Is(err, vector.ErrNoNative) || errors.Is(err, vector.ErrCPU) {
		if os.Getenv("CI") != "" {
			tb.Fatal("CI must have the native library: ", err)
		}
		tb.Skip(err)
	}
}

func file(path string, lines ...string) FileChunks {
	text := strings.Join(lines, "\n")
	sum := sha256.Sum256([]byte(text))
	f := FileChunks{
		Path: path, Hash: hex.EncodeToString(sum[:]),
		Stamp: Stamp{Size: int64(len(text)), ModTime: time.Unix(1700000000, 0), Inode: 7},
	}
	for i, l := range lines {
		f.Chunks = append(f.Chunks, api.Chunk{
			ID: api.ChunkID(path, f.Hash, i), Path: path, Text: l, StartLine: i + 1, EndLine: i + 1, ContentHash: f.Hash,
			Ordinal:  i,
			Language: strings.TrimPrefix(filepath.Ext(path), "."), Breadcrumb: []string{"type T"}, Symbols: []string{"sym" + l},
		})
	}
	return f
}

func vectorFor(text string) api.Vector {
	sum := sha256.Sum256([]byte(text))
	r := rand.New(rand.NewChaCha8(sum))
	var v api.Vector
	n := 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		n += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(n))
	}
	return v
}

func commit(tb testing.TB, s *Store, c api.Corpus, list ...FileChunks) {
	tb.Helper()
	must(tb, s.Put(tb.Context(), c, list))
}

func fill(tb testing.TB, s *Store, n int) {
	tb.Helper()
	must(tb, fillAll(tb.Context(), s, n))
}

func fillAll(ctx context.Context, s *Store, n int) error {
	for _, c := range api.Corpora {
		for {
			chunks, err := s.Missing(ctx, c, n)
			if err != nil {
				return err
			}
			if len(chunks) == 0 {
				break
			}
			rows := make([]VectorRow, len(chunks))
			for i, ch := range chunks {
				rows[i] = VectorRow{ch, vectorFor(ch.Text)}
			}
			if err := s.PutVectors(ctx, c, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

func texts(tb testing.TB, s *Store, c api.Corpus, query string) []string {
	tb.Helper()
	v := s.View()
	defer v.Release()
	hits, err := v.Text(tb.Context(), c, TextQuery{Terms: text.Terms(query), K: 100})
	must(tb, err)
	var ids []string
	for _, h := range hits {
		if !v.Current(c, h.Path, h.ContentHash) {
			tb.Errorf("hit of %s is not current", h.Path)
		}
		for _, n := range h.Chunks {
			if id := api.ChunkID(h.Path, h.ContentHash, n); !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	chunks, err := v.Chunks(tb.Context(), c, ids)
	must(tb, err)
	var out []string
	for _, id := range ids {
		out = append(out, chunks[id].Path+": "+chunks[id].Text)
	}
	slices.Sort(out)
	return out
}

func nearest(tb testing.TB, s *Store, c api.Corpus, text string, k int, f Filter) []string {
	tb.Helper()
	v := s.View()
	defer v.Release()
	hits, err := v.Nearest(tb.Context(), c, vectorFor(text), k, f)
	must(tb, err)
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s:%d", h.Path, h.StartLine))
	}
	return out
}

func clean(tb testing.TB, s *Store) {
	tb.Helper()
	r, err := s.Check(tb.Context())
	must(tb, err)
	if !r.Clean() {
		tb.Errorf("index is not clean: %+v", r)
	}
}

func want(tb testing.TB, what string, got, want any) {
	tb.Helper()
	if d := cmp.Diff(want, got); d != "" {
		tb.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestCommitAndRead(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	a := file("src/a.go", "alpha one", "alpha two", "beta three")
	commit(t, s, api.CorpusCode, a, file("src/b.go", "gamma"), file("empty.go"))
	commit(t, s, api.CorpusDocs, file("README.md", "alpha in prose"))

	want(t, "text hits", texts(t, s, api.CorpusCode, "alpha"), []string{"src/a.go: alpha one", "src/a.go: alpha two"})
	want(t, "docs hits", texts(t, s, api.CorpusDocs, "alpha"), []string{"README.md: alpha in prose"})
	st := s.Stats()
	want(t, "counts", []int{st.Files, st.Chunks, st.DocFiles, st.DocChunks, st.Vectors}, []int{4, 5, 1, 1, 0})
	missing, err := s.Missing(t.Context(), api.CorpusCode, 2)
	if err != nil || len(missing) != 2 {
		t.Fatalf("missing: %d, %v", len(missing), err)
	}
	want(t, "first missing chunk", missing[0], a.Chunks[0])
	fill(t, s, 2)
	want(t, "vectors", s.Stats().Vectors, 5)
	want(t, "nearest", nearest(t, s, api.CorpusCode, "beta three", 1, Filter{}), []string{"src/a.go:3"})
	want(t, "nearest in a glob", nearest(t, s, api.CorpusCode, "beta three", 1,
		Filter{Paths: func(p string) bool { return strings.HasSuffix("/"+p, "/b.go") }}),
		[]string{"src/b.go:1"})
	want(t, "nearest in a language", nearest(t, s, api.CorpusCode, "x", 9, Filter{Language: "c"}), []string(nil))
	if h, ok := s.Fingerprint(api.CorpusCode, "src/a.go"); !ok || h != a.Hash {
		t.Errorf("fingerprint %q %v", h, ok)
	}
	clean(t, s)

	must(t, s.Close())
	s = open(t, dir)
	want(t, "counts after reopening", []int{s.Stats().Files, s.Stats().Chunks, s.Stats().Vectors}, []int{4, 5, 5})
	want(t, "text hits after reopening", texts(t, s, api.CorpusCode, "alpha"),
		[]string{"src/a.go: alpha one", "src/a.go: alpha two"})
	if got, err := s.Missing(t.Context(), api.CorpusCode, 9); err != nil || len(got) != 0 {
		t.Errorf("missing after reopening: %d, %v", len(got), err)
	}
	if st, checked, ok := s.Stamp("src/a.go"); !ok || st.Size != a.Stamp.Size || !st.ModTime.Equal(a.Stamp.ModTime) ||
		checked.IsZero() {
		t.Errorf("stamp %+v %v %v", st, checked, ok)
	}
	v := s.View()
	want(t, "paths", v.Paths(api.CorpusCode), []string{"empty.go", "src/a.go", "src/b.go"})
	v.Release()
	clean(t, s)
}

func TestReplaceAndRemove(t *testing.T) {
	s := open(t, t.TempDir())
	commit(t, s, api.CorpusCode, file("a.go", "old one", "old two"), file("b.go", "stays"), file("c.txt", "moves"))
	fill(t, s, 100)
	commit(t, s, api.CorpusCode, file("a.go", "new one"))
	want(t, "old text", texts(t, s, api.CorpusCode, "old"), []string(nil))
	want(t, "nearest to old text", slices.Contains(nearest(t, s, api.CorpusCode, "old one", 5, Filter{}), "a.go:1"), false)
	commit(t, s, api.CorpusDocs, file("c.txt", "moves"))
	if c, _ := s.CorpusOf("c.txt"); c != api.CorpusDocs {
		t.Errorf("c.txt is in %q", c)
	}
	want(t, "moved text", texts(t, s, api.CorpusCode, "moves"), []string(nil))
	must(t, s.Remove(t.Context(), api.CorpusCode, []string{"b.go", "never.go"}))
	want(t, "removed text", texts(t, s, api.CorpusCode, "stays"), []string(nil))
	fill(t, s, 100)
	must(t, s.Checkpoint())
	want(t, "counts", []int{s.Stats().Files, s.Stats().Chunks, s.Stats().Vectors}, []int{2, 2, 2})
	clean(t, s)
	if n, err := s.corpora[api.CorpusCode].vectors.Count(t.Context()); err != nil || n != 1 {
		t.Errorf("%d vector rows are left (%v), want 1", n, err)
	}

	// Committing the same content again, as reindex_file does, or switching between two contents duplicates no rows.
	for _, f := range []FileChunks{file("a.go", "new one"), file("a.go", "old one", "old two"), file("a.go", "new one")} {
		commit(t, s, api.CorpusCode, f)
	}
	fill(t, s, 1)
	want(t, "text", texts(t, s, api.CorpusCode, "one"), []string{"a.go: new one"})
	clean(t, s)
}

func TestPutRefuses(t *testing.T) {
	s := open(t, t.TempDir())
	bad := file("a.go", "x")
	bad.Hash = "abc"
	strange := file("a.go", "x")
	strange.Chunks[0].Path = "b.go"
	for _, f := range []FileChunks{bad, strange, {}} {
		if err := s.Put(t.Context(), api.CorpusCode, []FileChunks{f}); err == nil {
			t.Errorf("%+v was accepted", f)
		}
	}
	want(t, "files", s.Stats().Files, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Put(ctx, api.CorpusCode, []FileChunks{file("a.go", "x")}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	clean(t, s)
}

func TestMissingOrder(t *testing.T) {
	s := openWith(t, t.TempDir(), Options{Tables: testTables(), ModelHash: "m", Priority: func(p string) int {
		if strings.Contains(p, "test") {
			return -1
		}
		return 0
	}})
	at := func(f FileChunks, sec int64) FileChunks { f.Stamp.ModTime = time.Unix(sec, 0); return f }
	commit(t, s, api.CorpusCode, at(file("old.go", "1"), 10), at(file("new.go", "2"), 20), at(file("a_test.go", "3"), 30))
	order := func() (out []string) {
		chunks, err := s.Missing(t.Context(), api.CorpusCode, 10)
		must(t, err)
		for _, c := range chunks {
			out = append(out, c.Path)
		}
		return out
	}
	want(t, "order", order(), []string{"new.go", "old.go", "a_test.go"})
	s.Prefer(api.CorpusCode, "a_test.go", "unknown.go")
	want(t, "order after Prefer", order(), []string{"a_test.go", "new.go", "old.go"})
	commit(t, s, api.CorpusCode, at(file("now_test.go", "4"), time.Now().Unix()))
	want(t, "order after a change", order(), []string{"now_test.go", "a_test.go", "new.go", "old.go"})
}

func TestGeneration(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	commit(t, s, api.CorpusCode, file("a.go", "current generation"), file("gone.go", "gone"))
	fill(t, s, 10)
	must(t, s.UpdateMetadata(func(m *Metadata) {
		m.ProjectPath = "/p"
		m.CreatedAt = time.Unix(1,
			0).UTC()
	}))

	next, err := s.NextGeneration(t.Context())
	must(t, err)
	commit(t, next, api.CorpusCode, file("a.go", "half built"))
	must(t, s.Abandon(next))
	want(t, "text", texts(t, s, api.CorpusCode, "generation"), []string{"a.go: current generation"})

	next, err = s.NextGeneration(t.Context())
	must(t, err)
	commit(t, next, api.CorpusCode, file("a.go", "next generation"))
	fill(t, next, 10)
	must(t, next.UpdateMetadata(func(m *Metadata) { m.LastFullIndex = time.Unix(2, 0).UTC() }))
	commit(t, s, api.CorpusCode, file("b.go", "served meanwhile"))
	want(t, "text before the switch", texts(t, s, api.CorpusCode, "generation"), []string{"a.go: current generation"})
	must(t, s.Switch(t.Context(), next))
	want(t, "text", texts(t, s, api.CorpusCode, "generation meanwhile gone"), []string{"a.go: next generation"})
	want(t, "vectors", []int{s.Stats().Chunks, s.Stats().Vectors}, []int{1, 1})
	want(t, "nearest", nearest(t, s, api.CorpusCode, "next generation", 3, Filter{}), []string{"a.go:1"})
	if m := s.Metadata(); m.ProjectPath != "/p" || m.LastFullIndex.IsZero() || m.CreatedAt.IsZero() {
		t.Errorf("metadata %+v", m)
	}
	if err := next.Put(t.Context(), api.CorpusCode, []FileChunks{file("x.go", "x")}); !errors.Is(err, ErrClosed) {
		t.Errorf("put into a switched generation: %v", err)
	}
	for _, left := range []string{nextDir, oldDir, intentName} {
		if _, err := os.Lstat(filepath.Join(dir, left)); err == nil {
			t.Errorf("%s was not removed", left)
		}
	}
	commit(t, s, api.CorpusCode, file("c.go", "after"))
	fill(t, s, 10)
	clean(t, s)
}

func TestSwitchWaitsForViews(t *testing.T) {
	s := open(t, t.TempDir())
	commit(t, s, api.CorpusCode, file("a.go", "word"))
	next, err := s.NextGeneration(t.Context())
	must(t, err)
	v := s.View()
	done := make(chan error, 1)
	go func() { done <- s.Switch(t.Context(), next) }()
	if hits, err := v.Text(t.Context(), api.CorpusCode,
		TextQuery{Terms: text.Terms("word"), K: 1}); err != nil || len(hits) != 1 {
		t.Errorf("view during a switch: %d hits, %v", len(hits), err)
	}
	select {
	case err := <-done:
		t.Errorf("switch did not wait for the view: %v", err)
	default:
	}
	v.Release()
	v.Release()
	if err := <-done; err != nil {
		t.Error(err)
	}
	want(t, "text", texts(t, s, api.CorpusCode, "word"), []string(nil))
	if _, err := v.Text(t.Context(), api.CorpusCode,
		TextQuery{Terms: text.Terms("word"), K: 1}); !errors.Is(err, ErrClosed) {
		t.Errorf("released view: %v", err)
	}
}

func TestCompact(t *testing.T) {
	s := open(t, t.TempDir())
	for i := range extraFragments/2 + 10 {
		commit(t, s, api.CorpusCode, file("a.go", fmt.Sprintf("version %d", i), "kept"),
			file(fmt.Sprintf("f%d.go", i), "file"))
		fill(t, s, 100)
	}
	if !s.NeedsCompaction() {
		t.Fatal("a hundred updates need no compaction")
	}
	before := nearest(t, s, api.CorpusCode, "kept", 2, Filter{})
	must(t, s.Compact(t.Context()))
	if s.NeedsCompaction() {
		t.Error("compaction is needed after compaction")
	}
	shape, err := s.corpora[api.CorpusCode].vectors.Shape()
	if err != nil || shape.Fragments != 1 {
		t.Errorf("shape %+v, %v", shape, err)
	}
	want(t, "nearest", nearest(t, s, api.CorpusCode, "kept", 2, Filter{}), before)
	want(t, "vectors", s.Stats().Vectors, s.Stats().Chunks)
	commit(t, s, api.CorpusCode, file("a.go", "after"))
	fill(t, s, 100)
	clean(t, s)
}

func TestOtherModel(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	commit(t, s, api.CorpusCode, file("a.go", "word"))
	fill(t, s, 10)
	if s.Outdated() != "" {
		t.Errorf("outdated: %s", s.Outdated())
	}
	must(t, s.Close())
	s = openWith(t, dir, Options{Tables: testTables(), ModelHash: "other", ChunkerVersion: "1"})
	if s.Outdated() == "" || !errors.Is(s.VectorProblem(), ErrVectors) {
		t.Errorf("another model went unnoticed: %v", s.VectorProblem())
	}
	v := s.View()
	if _, err := v.Nearest(t.Context(), api.CorpusCode, vectorFor("word"), 1, Filter{}); !errors.Is(err, ErrVectors) {
		t.Errorf("vectors of two models mixed: %v", err)
	}
	v.Release()
	want(t, "text", texts(t, s, api.CorpusCode, "word"), []string{"a.go: word"})
	next, err := s.NextGeneration(t.Context())
	must(t, err)
	commit(t, next, api.CorpusCode, file("a.go", "word"))
	fill(t, next, 10)
	must(t, s.Switch(t.Context(), next))
	if s.Outdated() != "" || s.VectorProblem() != nil {
		t.Errorf("after the rebuild: %q, %v", s.Outdated(), s.VectorProblem())
	}
}

func TestUnwritable(t *testing.T) {
	s := &Store{dir: "/data/indexes/a"}
	var said *api.Error
	if err := s.apiError(fmt.Errorf("put: %w", fs.ErrPermission), 0); !errors.As(err, &said) ||
		!strings.Contains(said.UserMessage, s.dir) {
		t.Errorf("%v", err)
	}
}

func TestClosed(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.Close())
	if err := s.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	v := s.View()
	defer v.Release()
	_, err1 := v.Text(t.Context(), api.CorpusCode, TextQuery{Terms: text.Terms("x"), K: 1})
	_, err2 := s.Missing(t.Context(), api.CorpusCode, 1)
	_, err3 := s.NextGeneration(t.Context())
	for _, err := range []error{err1, err2, err3, s.Remove(t.Context(), api.CorpusCode, []string{"a"}), s.Checkpoint()} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%v, want ErrClosed", err)
		}
	}
}

func textChange(f FileChunks) text.Change { return text.Change{Rows: f.Chunks} }
