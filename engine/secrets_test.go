package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

// onDisk starts again if a file is renamed or removed meanwhile.
func onDisk(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := files.ReadFile(name) // on Windows it waits for a file being replaced
		all[name] = data
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return onDisk(t, dir)
	case err != nil:
		t.Fatal(err)
	}
	return all
}

func filesWith(all map[string][]byte, text string) (names []string) {
	for name, data := range all {
		if bytes.Contains(data, []byte(text)) || bytes.Contains(data, []byte(strings.ToLower(text))) {
			names = append(names, filepath.Base(name))
		}
	}
	return names
}

// witness is random, so that it remains uncompressed in stored texts.
const witness = "Wq7Zk2Vx9Nb4Tm6Rj1Ly8Hd3"

type noting struct {
	hashModel
	mu   sync.Mutex
	seen [][]byte
}

func (m *noting) Texts(ctx context.Context, texts []string, each func(int, api.Vector)) error {
	for _, text := range texts {
		if strings.Contains(text, witness) {
			v := hashVector(text)
			b, err := binary.Append(nil, binary.LittleEndian, v[:])
			if err != nil {
				return err
			}
			m.mu.Lock()
			m.seen = append(m.seen, b)
			m.mu.Unlock()
		}
	}
	return m.hashModel.Texts(ctx, texts, each)
}

func (m *noting) inTables(all map[string][]byte) (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, data := range all {
		for _, v := range m.seen {
			if strings.HasSuffix(name, ".lance") && bytes.Contains(data, v) {
				names = append(names, name)
			}
		}
	}
	return names
}

func TestPurge(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	files := map[string]string{
		"a/changed.go": "package a\n\n// " + witness + "changed\nfunc Changed() {}\n",
		"a/deleted.go": "package a\n\n// " + witness + "deleted\nfunc Deleted() {}\n",
	}
	for _, n := range []string{"one", "two", "three", "four"} {
		files["b/"+n+".go"] = "package b\n\n// Stays" + n + " has company.\nfunc Stays" + n + "() {}\n"
	}
	root := tree(t, files)
	model := &noting{}
	e := openOpt(t, data, func(o *Options) { o.model = model; o.idle = time.Hour }) // disables automatic compaction
	create(t, e, root)
	if all := onDisk(t, data); filesWith(all, witness) == nil || model.inTables(all) == nil {
		t.Fatal("neither text nor vectors are on disk: nothing was looked at")
	}
	write(t, filepath.Join(root, "a/changed.go"), "package a\n\nfunc ChangedAgain() {}\n")
	if err := os.Remove(filepath.Join(root, "a/deleted.go")); err != nil {
		t.Fatal(err)
	}
	eventually(t, e, "the change is searchable", func() bool {
		return strings.Contains(paths(find(t, e, root, "ChangedAgain")), "changed.go") && !strings.Contains(paths(find(t, e,
			root, "Deleted")), "deleted.go")
	})
	if all := onDisk(t, data); filesWith(all, witness) == nil || model.inTables(all) == nil {
		t.Error("the old text or its vectors are gone before the purge: it is not what takes them away")
	}
	if err := e.Purge(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	all := onDisk(t, data)
	if left := append(filesWith(all, witness), model.inTables(all)...); left != nil {
		t.Errorf("%v still hold what was changed or deleted", left)
	}
	for _, n := range []string{"Staysone", "Staysfour", "ChangedAgain"} {
		if find(t, e, root, n).Hits == nil {
			t.Errorf("%s is not found after the purge", n)
		}
	}
	if err := e.Purge(t.Context(), ""); err != nil {
		t.Errorf("nothing to purge: %v", err)
	}
	if err := os.Remove(filepath.Join(root, "b/four.go")); err != nil {
		t.Fatal(err)
	}
	eventually(t, e, "the deletion", func() bool { return find(t, e, root, "Staysfour").Hits == nil })
	if err := e.Purge(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	if left := filesWith(onDisk(t, data), "Staysfour"); left != nil {
		t.Errorf("%v still hold what was deleted", left)
	}
	if f := examined(t, e, root); !strings.Contains(fmt.Sprint(f), "agree") {
		t.Errorf("%+v", f)
	}
}
