package share

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"searchmcp/engine/store/text"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/share/bucket/buckettest"
	"searchmcp/engine/share/part"
	"searchmcp/engine/store"
	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/lance"
)

const model = "model-of-the-tests"

type storage struct {
	*buckettest.Server
	at Location
}

func newStorage(t *testing.T) *storage {
	t.Helper()
	s := &storage{Server: buckettest.New(t, "team")}
	var err error
	s.at, err = ParseLocation("s3://team/indexes/app?endpoint=" + s.URL + "&region=eu-central-1")
	must(t, err)
	return s
}

func (s *storage) keys(t *testing.T, part string) []string {
	t.Helper()
	return slices.DeleteFunc(s.Keys(t), func(key string) bool { return !strings.Contains(key, part) })
}

func (s *storage) publish(t *testing.T, st *store.Store) Published {
	t.Helper()
	m, err := Publish(t.Context(), s.at, Publication{Tables: testTables(t), Store: st, Project: "app"})
	must(t, err)
	return m
}

func (s *storage) publishSlowly(t *testing.T, st *store.Store) error {
	t.Helper()
	once := true
	_, err := Publish(t.Context(), s.at, Publication{Tables: testTables(t), Store: st, Project: "slow",
		Progress: func(api.PublishStage, int, int) {
			if once {
				once = false
				s.publish(t, st)
			}
		}})
	return err
}

func openSource(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), t.TempDir(), store.Options{Tables: testTables(t), ModelHash: model,
		ChunkerVersion: "1", Log: quiet})
	must(t, err)
	t.Cleanup(func() { _ = st.Close() })
	if problem := st.VectorProblem(); problem != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI must have the native library: ", problem)
		}
		t.Skip(problem)
	}
	return st
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func openCopy(t *testing.T, dir string, at Location) *Copy {
	t.Helper()
	c, err := Open(t.Context(), dir, at, model, testTables(t), readHere, quiet)
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

func readHere(_ context.Context, data []byte) ([]part.File, error) { return part.Read(data) }

func refresh(t *testing.T, c *Copy, want bool) {
	t.Helper()
	if changed, err := c.Refresh(t.Context()); err != nil || changed != want {
		t.Fatalf("refresh: changed %v, %v; want %v", changed, err, want)
	}
}

func put(t *testing.T, st *store.Store, corpus api.Corpus, path string, lines ...string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	f := store.FileChunks{Path: path, Hash: hex.EncodeToString(sum[:])}
	var rows []store.VectorRow
	for i, text := range lines {
		c := api.Chunk{
			ID: api.ChunkID(path, f.Hash, i), Path: path, Text: text,
			StartLine: i + 1, EndLine: i + 1,
			ContentHash: f.Hash, Ordinal: i, Language: "go", Symbols: []string{"symbol" + f.Hash[:4]},
		}
		f.Chunks = append(f.Chunks, c)
		rows = append(rows, store.VectorRow{Chunk: c, Vector: vectorOf(text)})
	}
	must(t, st.Put(t.Context(), corpus, []store.FileChunks{f}))
	must(t, st.PutVectors(t.Context(), corpus, rows))
	return f.Hash
}

func vectorOf(text string) (v api.Vector) {
	sum := sha256.Sum256([]byte(text))
	r := rand.New(rand.NewChaCha8(sum))
	length := 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		length += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(length))
	}
	return v
}

func wantFound(t *testing.T, c *Copy, corpus api.Corpus, word, body, path string) {
	t.Helper()
	v := c.View()
	if v == nil {
		t.Fatal("nothing was fetched")
	}
	defer v.Release()
	words, err := v.Text(t.Context(), corpus, store.TextQuery{Terms: text.Terms(word), K: 5})
	if err != nil || len(words) != 1 || words[0].Path != path {
		t.Errorf("%q by words: %+v, %v; want %s", word, words, err, path)
	}
	near, err := v.Nearest(t.Context(), corpus, vectorOf(body), 3, store.Filter{})
	if err != nil || len(near) == 0 || near[0].Path != path {
		t.Fatalf("%q by meaning: %+v, %v; want %s", body, near, err, path)
	}
	chunks, err := v.Chunks(t.Context(), corpus, []string{near[0].ID})
	if ch := chunks[near[0].ID]; err != nil || ch.Text != body || len(ch.Symbols) != 1 {
		t.Errorf("chunk of %s: %+v, %v", path, ch, err)
	}
}

func TestPublishAndRead(t *testing.T) {
	s := newStorage(t)
	source := openSource(t)
	hash := put(t, source, api.CorpusCode, "pkg/a.go", "func alpha() {}", "func beta() {}")
	put(t, source, api.CorpusCode, "pkg/b.go", "func gamma() {}")
	put(t, source, api.CorpusCode, "pkg/empty.go")
	put(t, source, api.CorpusDocs, "docs/guide.md", "How delta works")
	m := s.publish(t, source)
	if m.Files != 4 || m.Chunks != 4 || m.Vectors[api.CorpusCode] != 3 || m.Vectors[api.CorpusDocs] != 1 {
		t.Errorf("manifest %+v", m)
	}

	dir := t.TempDir()
	c := openCopy(t, dir, s.at)
	if c.View() != nil || c.Has(api.CorpusCode, "pkg/a.go", hash) {
		t.Error("something is there before it was fetched")
	}
	refresh(t, c, true)
	refresh(t, c, false)
	wantFound(t, c, api.CorpusCode, "alpha", "func alpha() {}", "pkg/a.go")
	wantFound(t, c, api.CorpusDocs, "delta", "How delta works", "docs/guide.md")
	if !c.Has(api.CorpusCode, "pkg/a.go", hash) || c.Has(api.CorpusDocs, "pkg/a.go", hash) ||
		c.Has(api.CorpusCode, "pkg/a.go", hash[1:]+"0") {
		t.Error("Has is wrong about pkg/a.go")
	}
	if st := c.State(); st.Files != 4 || st.Chunks != 4 || st.Project != "app" || st.Note != "" || st.Err != nil ||
		st.Checked.IsZero() {
		t.Errorf("state %+v", st)
	}

	s.Server.Close()
	must(t, c.Close())
	again := openCopy(t, dir, s.at)
	wantFound(t, again, api.CorpusCode, "gamma", "func gamma() {}", "pkg/b.go")
	if _, err := again.Refresh(t.Context()); err == nil || again.State().Err == nil {
		t.Errorf("refresh without a storage: %v, %+v", err, again.State())
	}
	wantFound(t, again, api.CorpusCode, "gamma", "func gamma() {}", "pkg/b.go")
}

func TestNearestThroughTheNetwork(t *testing.T) {
	s := newStorage(t)
	source := openSource(t)
	for i := range 40 {
		put(t, source, api.CorpusCode, fmt.Sprintf("pkg/file%d.go", i), fmt.Sprintf("func number%d() {}", i))
	}
	m := s.publish(t, source)
	remote := s.remote(t, m.Manifest)
	dir := filepath.Join(t.TempDir(), "sketch")
	table, err := testTables(t).OpenRemote(t.Context(), remote, "project_docs", 40, dir)
	must(t, err)
	defer table.Close()
	fewer, err := testTables(t).OpenRemote(t.Context(), remote, "project_docs", 39, dir)
	must(t, err)
	defer fewer.Close()
	if err := fewer.Fetch(t.Context()); !errors.Is(err, vector.ErrRemote) {
		t.Errorf("more vectors than were announced: %v, want ErrRemote", err)
	}
	for _, with := range []string{"the table", "the sketch"} {
		hits, err := table.Search(t.Context(), vector.Query{Vector: vectorOf("func number7() {}"), K: 3})
		if err != nil || len(hits) != 3 || hits[0].Path != "pkg/file7.go" {
			t.Errorf("from %s: %+v, %v", with, hits, err)
		}
		if _, err := os.Stat(dir); (err == nil) != (with == "the sketch") {
			t.Errorf("sketch while searching %s: %v", with, err)
		}
		must(t, table.Fetch(t.Context()))
	}
}

func TestNewPublication(t *testing.T) {
	s := newStorage(t)
	was := sweepAge
	sweepAge = 0
	defer func() { sweepAge = was }()
	source := openSource(t)
	put(t, source, api.CorpusCode, "a.go", "func alpha() {}")
	s.publish(t, source)
	dir := t.TempDir()
	c := openCopy(t, dir, s.at)
	refresh(t, c, true)

	held := c.View() // a reader of the old publication, used during the update
	put(t, source, api.CorpusCode, "a.go", "func omega() {}")
	put(t, source, api.CorpusCode, "z.go", "func zeta() {}")
	s.publish(t, source)
	done := make(chan error, 1)
	go func() {
		_, err := c.Refresh(t.Context())
		done <- err
	}()
	for c.State().Files != 2 {
		select {
		case err := <-done:
			t.Fatal("refresh did not wait for the reader: ", err)
		default:
		}
	}
	if hits, err := held.Text(t.Context(), api.CorpusCode,
		store.TextQuery{Terms: text.Terms("alpha"), K: 5}); err != nil || len(hits) != 1 {
		t.Errorf("the old publication's reader: %v, %v", hits, err)
	}
	held.Release()
	must(t, <-done)
	wantFound(t, c, api.CorpusCode, "omega", "func omega() {}", "a.go")
	if folders, err := os.ReadDir(dir); err != nil || len(folders) != 1 {
		t.Errorf("copies on disk: %v, %v; want one", folders, err)
	}

	s.publish(t, source) // changes nothing
	refresh(t, c, false)
	put(t, source, api.CorpusCode, "z.go", "func zeta() { omega() }")
	s.publish(t, source) // removes the objects of the first publication
	refresh(t, c, true)
	wantEqual(t, len(s.keys(t, objectsDir)), 2, "keys")
	folders := map[string]bool{}
	for _, k := range s.keys(t, vectorsDir) {
		folders[strings.Split(k, "/")[3]] = true
	}
	wantEqual(t, len(folders), 2, "vectors of: folders")
}

func TestOvertaken(t *testing.T) {
	s := newStorage(t)
	source := openSource(t)
	for i, before := range []string{"nothing", "a publication"} {
		put(t, source, api.CorpusCode, fmt.Sprintf("b%d.go", i), "func beta() {}")
		if err := s.publishSlowly(t, source); !errors.Is(err, ErrOvertaken) {
			t.Errorf("with %s there before: %v, want ErrOvertaken", before, err)
		}
	}
	folders := map[string]bool{}
	for _, k := range s.keys(t, vectorsDir) {
		folders[strings.Split(k, "/")[3]] = true
	}
	wantEqual(t, len(folders), 2, "vectors in folders: folders")
	c := openCopy(t, t.TempDir(), s.at)
	refresh(t, c, true)
	wantEqual(t, c.State().Project, "app", "readers have the publication of: project")
}

var vectorRows = regexp.MustCompile(`(?s)"vectors": \{.*?\}`)

func TestDamage(t *testing.T) {
	s := newStorage(t)
	source := openSource(t)
	put(t, source, api.CorpusCode, "a.go", "func alpha() {}")
	c := openCopy(t, t.TempDir(), s.at)
	if _, err := c.Refresh(t.Context()); !errors.Is(err, ErrNone) {
		t.Errorf("an empty bucket: %v, want ErrNone", err)
	}
	s.publish(t, source)
	part, manifest := s.keys(t, objectsDir)[0], s.keys(t, manifestName)[0]
	whole := s.Get(t, manifest)
	for name, spoil := range map[string]func(){
		"part of other content": func() { s.Put(t, part, slices.Repeat([]byte{7}, len(s.Get(t, part)))) },
		"part too long":         func() { s.Put(t, part, append(s.Get(t, part), 7)) },
		"no manifest":           func() { s.Put(t, manifest, []byte("{")) },
		"vectors elsewhere": func() {
			s.Put(t, manifest, []byte(strings.ReplaceAll(string(whole), `"folder": "vectors/`, `"folder": "../other/`)))
		},
		"vectors without end": func() {
			s.Put(t, manifest, vectorRows.ReplaceAll(whole, []byte(`"vectors": {"code": 9000000}`)))
		},
		"newer format": func() {
			s.Put(t, manifest, []byte(strings.ReplaceAll(string(whole), `"format": 1`, `"format": 2`)))
		},
	} {
		kept := s.Get(t, part)
		spoil()
		_, err := c.Refresh(t.Context())
		var shown *api.Error
		if !errors.Is(err, ErrDamaged) && !errors.As(err, &shown) {
			t.Errorf("%s: %v", name, err)
		}
		if c.View() != nil {
			t.Errorf("%s: taken over", name)
		}
		s.Put(t, part, kept)
		s.Put(t, manifest, whole)
	}
	refresh(t, c, true)
	wantFound(t, c, api.CorpusCode, "alpha", "func alpha() {}", "a.go")
}

func TestOtherModel(t *testing.T) {
	s := newStorage(t)
	source := openSource(t)
	put(t, source, api.CorpusCode, "a.go", "func alpha() {}")
	s.publish(t, source)
	c, err := Open(t.Context(), t.TempDir(), s.at, "another", testTables(t), readHere, quiet)
	must(t, err)
	defer c.Close()
	refresh(t, c, true)
	v := c.View()
	defer v.Release()
	if hits, err := v.Text(t.Context(), api.CorpusCode, store.TextQuery{Terms: text.Terms("alpha"), K: 5}); err != nil ||
		len(hits) != 1 {
		t.Errorf("by words: %v, %v", hits, err)
	}
	if hits, err := v.Nearest(t.Context(), api.CorpusCode, vectorOf("x"), 5, store.Filter{}); err != nil ||
		len(hits) != 0 {
		t.Errorf("by meaning: %v, %v", hits, err)
	}
	if !strings.Contains(c.State().Note, "different model") {
		t.Errorf("note %q", c.State().Note)
	}
}

func testTables(t *testing.T) *vector.DB {
	t.Helper()
	native, err := lance.New()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return vector.NewDB(native)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}
