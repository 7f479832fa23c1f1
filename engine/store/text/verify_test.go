package text

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/blevesearch/bleve/v2/util"
	index "github.com/blevesearch/bleve_index_api"
	"go.etcd.io/bbolt"

	"searchmcp/engine/api"
)

func filled(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	x, err := Open(t.Context(), dir)
	must(t, err)
	for _, path := range []string{"a.go", "b.go"} {
		row := api.Chunk{Path: path, StartLine: 1, EndLine: 2, Text: "some words", ContentHash: "00ff"}
		must(t, x.Apply(t.Context(), Change{Rows: []api.Chunk{row}}))
	}
	must(t, x.Close())
	return dir
}

// readBolt finds the segments of the newest snapshot in root.bolt. Other segment files may exist, because an
// interrupted merge leaves a file, which the library removes when it opens.
func TestRootNamesSegments(t *testing.T) {
	dir := filled(t)
	data, err := os.ReadFile(filepath.Join(dir, rootFile))
	must(t, err)
	root, err := readBolt(data)
	must(t, err)
	slices.Sort(root.segments)
	want := segmentsByLibrary(t, filepath.Join(dir, rootFile))
	if len(want) == 0 || !slices.Equal(root.segments, want) {
		t.Errorf("segments %v, want %v", root.segments, want)
	}
	for _, name := range root.segments {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// segmentsByLibrary reads the newest snapshot like scorch's loadZapFileNames.
func segmentsByLibrary(t *testing.T, path string) []string {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	must(t, err)
	defer db.Close()
	var names []string
	err = db.View(func(tx *bbolt.Tx) error {
		snapshots := tx.Bucket(util.BoltSnapshotsBucket)
		epoch, _ := snapshots.Cursor().Last()
		snapshot := snapshots.Bucket(epoch)
		return snapshot.ForEachBucket(func(segment []byte) error {
			if name := snapshot.Bucket(segment).Get(util.BoltPathKey); name != nil {
				names = append(names, string(name))
			}
			return nil
		})
	})
	must(t, err)
	slices.Sort(names)
	return names
}

// A seal that is older than the file is ignored. A seal of the same transaction has to match.
func TestSeal(t *testing.T) {
	dir := filled(t)
	old, err := os.ReadFile(filepath.Join(dir, sealFile))
	must(t, err)
	x, err := Open(t.Context(), dir)
	must(t, err)
	if _, err := os.Stat(filepath.Join(dir, sealFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an open index has a seal: %v", err)
	}
	must(t, x.Apply(t.Context(), Change{Delete: []Key{{Path: "a.go", Hash: "00ff", kind: isChunk}}}))
	must(t, x.Close())
	fresh, err := os.ReadFile(filepath.Join(dir, sealFile))
	must(t, err)
	for _, c := range []struct {
		name string
		seal []byte
	}{
		{"older", old},
		{"cut off", fresh[:7]},
		{"right", fresh},
	} {
		must(t, os.WriteFile(filepath.Join(dir, sealFile), c.seal, 0o600))
		if err := verify(t.Context(), dir, false); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	name := filepath.Join(dir, rootFile)
	data, err := os.ReadFile(name)
	must(t, err)
	data[len(data)-1] ^= 1
	must(t, os.WriteFile(name, data, 0o600))
	if err := verify(t.Context(), dir, false); !errors.Is(err, ErrCorrupt) {
		t.Errorf("root.bolt was changed after the seal: %v", err)
	}
}

func FuzzRoot(f *testing.F) {
	data, err := os.ReadFile(filepath.Join(filled(f), rootFile))
	must(f, err)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := readBolt(data)
		if err == nil && root.pages*root.pageSize > uint64(len(data)) {
			t.Errorf("%d pages of %d in %d bytes", root.pages, root.pageSize, len(data))
		}
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Error(err)
		}
	})
}

// A suspended index is sealed like a closed index. Each call opens it again. A missing root.bolt is not created again.
func TestSuspend(t *testing.T) {
	dir := filled(t)
	x, err := Open(t.Context(), dir)
	must(t, err)
	suspend := func() {
		for !x.Suspend() { // scorch is merging
			runtime.Gosched()
		}
		if _, err := os.Stat(filepath.Join(dir, sealFile)); err != nil {
			t.Error(err)
		}
	}
	suspend()
	must(t, x.Apply(t.Context(), Change{Rows: []api.Chunk{row("c.go", "more words")}}))
	suspend()
	if got := find(t, x, Query{Terms: Terms("words")}); len(got) != 3 {
		t.Errorf("found %v", got)
	}
	suspend()
	must(t, verify(t.Context(), dir, false))
	must(t, os.Remove(filepath.Join(dir, rootFile)))
	if err := x.Apply(t.Context(), Change{Rows: []api.Chunk{row("d.go", "words")}}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("without its root: %v", err)
	}
	must(t, x.Close())
}

func TestSystemError(t *testing.T) {
	for _, number := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE} {
		path := &fs.PathError{Op: "open", Path: "x.zap", Err: number}
		for _, err := range []error{path, fmt.Errorf("error opening new segment at x.zap, %v", path)} {
			if got := systemError(err); !errors.Is(got, number) {
				t.Errorf("%v", got)
			}
		}
		if err := fmt.Errorf("open /tmp/%v/x.zap: file does not exist", number); errors.Is(systemError(err), number) {
			t.Errorf("%v is recognised in a path", number)
		}
	}
}

func TestFormOfRows(t *testing.T) {
	x := testIndex(t)
	for _, form := range []byte{Form, Form + 1, 0} {
		c := row("c.go", "text")
		c.Ordinal = int(form)
		c.ID = api.ChunkID(c.Path, c.ContentHash, c.Ordinal)
		stored := newChunk(c)
		stored.Fields[1].Value()[0] = form
		batch := index.NewBatch()
		batch.Update(stored)
		must(t, x.commit(t.Context(), batch))
		found, err := x.Chunks(t.Context(), []string{c.ID})
		if good := len(found) == 1 && err == nil; good != (form == Form) || !good && !errors.Is(err, ErrCorrupt) {
			t.Errorf("form %d: read %v, %v", form, found, err)
		}
	}
}

// If the encoding of a chunk changes, Form must change.
func TestEncoding(t *testing.T) {
	c := api.Chunk{ID: "i", Path: "p", Text: "t", StartLine: 1, EndLine: 2, ContentHash: "h", Ordinal: 3, Language: "l",
		Breadcrumb: []string{"b"}, Symbols: []string{"s"},
		Decls: []api.Decl{{Name: "n", Kind: "k", Scope: []string{"o"}, Signature: "g", Start: 1, Line: 2, End: 3}}}
	u := Unit{Decl: c.Decls[0], Names: []string{"n"}, Start: 1, End: 2, Chunks: []int{3}}
	const want = "040000017402040168060002016202017302016e016b02016f0167020406 04016e016b02016f016702040602016e02040206"
	if got := fmt.Sprintf("%x %x", encodeChunk(c), encode(&u, 0)); Form != 4 || got != want {
		t.Errorf("form %d: %s", Form, got)
	}
}
