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
	"searchmcp/engine/files/secret/corpus"
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

// No answer and no file of the data folder contains a fake secret.
func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := corpus.New(7)
	files := map[string]string{"src/witness.go": "package src\n\n// " + witness + "\nfunc Witness() {}\n"}
	for _, f := range c.Files {
		files[f.Path] = f.Text
	}
	root := tree(t, files)
	e := open(t, data)
	create(t, e, root)
	answers := ""
	for _, query := range []string{"password", "token", "secret", "private key", "api key", "credentials", "export",
		"auth", "const key",
		"login", "database", "service", "begin", "d kty", "client", "AWS", "github", "run", "main", "debug", "environment",
		witness} {
		for _, half := range api.Corpora {
			r, err := e.Search(t.Context(), []string{root}, api.Query{Text: query, Corpus: half, TopK: 50, MaxTokens: 100000})
			if err != nil {
				if api.CodeOf(err) == api.DocsIndexNotFound {
					continue
				}
				t.Fatal(err)
			}
			for _, h := range r.Hits {
				answers += h.Path + "\n" + h.Breadcrumb + "\n" + h.Text + "\n"
			}
		}
	}
	if !strings.Contains(answers, witness) || !strings.Contains(answers, "«[secret: ") {
		t.Fatal("the answers hold neither the witness nor a mark: nothing was looked at")
	}
	closeEngine(t, e)
	all := onDisk(t, data)
	if filesWith(all, witness) == nil {
		t.Fatal("the witness is not on disk: nothing was looked at")
	}
	missed, tokens, others := c.Leaks(func(s corpus.Secret) bool {
		seen := s.Seen(answers)
		for _, bytes := range all {
			seen = seen || s.Seen(string(bytes))
		}
		return seen
	})
	for _, s := range others {
		t.Errorf("%s %q of %s is in an answer or on disk", s.Sort, s.Kind, s.Path)
	}
	if missed*20 > tokens {
		t.Errorf("%d of %d tokens are in an answer or on disk", missed, tokens)
	}
}

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

// Purging removes changed and deleted texts from the disk, and nothing else.
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
