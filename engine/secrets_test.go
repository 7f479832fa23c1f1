package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/files"
)

// holding returns the names of the files below dir that contain one of texts. It starts again if a file is renamed or
// removed meanwhile.
func holding(t *testing.T, dir string, texts ...[]byte) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := files.ReadFile(name) // on Windows it waits for a file being replaced
		if slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(data, text) }) {
			names = append(names, filepath.Base(name))
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return holding(t, dir, texts...)
	}
	must(t, err)
	return names
}

func bytesOf(v api.Vector) []byte {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, v[:]) // a buffer accepts everything
	return b.Bytes()
}

// The text and the vectors of changed and deleted files are on disk until they are purged.
func TestPurge(t *testing.T) {
	t.Parallel()
	const witness = "Wq7Zk2Vx9Nb4Tm6Rj1Ly8Hd3" // random, so that it remains uncompressed in stored texts
	data := t.TempDir()
	content := map[string]string{
		"a/changed.go": "package a\n\n// " + witness + "changed\nfunc Changed() {}\n",
		"a/deleted.go": "package a\n\n// " + witness + "deleted\nfunc Deleted() {}\n",
		"b/stays.go":   "package b\n\nfunc Stays() {}\n",
	}
	root := tree(t, content)
	e := openOpt(t, data, func(o *Options) { o.idle = time.Hour }) // disables automatic compaction
	create(t, e, root)
	becomesTrue(t, e, root)
	traces := [][]byte{[]byte(witness), []byte(strings.ToLower(witness))}
	var vectors [][]byte
	err := e.Find(root).Actor().Store().Export(t.Context(), api.CorpusCode, func(f store.Exported) error {
		for _, c := range f.Chunks {
			if strings.Contains(c.Text, witness) {
				v := hashVector(hashModel{}.Input(c))
				vectors = append(vectors, bytesOf(v))
			}
		}
		return nil
	})
	must(t, err)
	tables := filepath.Join(e.Find(root).Dir(), "index.lancedb")
	write(t, filepath.Join(root, "a/changed.go"), "package a\n\nfunc ChangedAgain() {}\n")
	must(t, os.Remove(filepath.Join(root, "a/deleted.go")))
	becomesTrue(t, e, root)
	if holding(t, data, traces...) == nil || holding(t, tables, vectors...) == nil {
		t.Fatal("neither text nor vectors are on disk before the purge: nothing was looked at")
	}
	must(t, e.Purge(t.Context(), root))
	if left := append(holding(t, data, traces...), holding(t, tables, vectors...)...); left != nil {
		t.Errorf("%v still contain changed or deleted text", left)
	}
	becomesTrue(t, e, root)
	must(t, e.Purge(t.Context(), "")) // nothing to purge
}
