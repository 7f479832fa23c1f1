package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

func spoiled(t *testing.T, spoil func(dir string)) string {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir)
	var list []FileChunks
	for i := range 20 {
		list = append(list, file(fmt.Sprintf("f%d.go", i), fmt.Sprintf("word number%d", i), "second"))
	}
	commit(t, s, api.CorpusCode, list[:10]...)
	commit(t, s, api.CorpusCode, list[10:]...)
	commit(t, s, api.CorpusDocs, file("README.md", "word of prose"))
	fill(t, s, 100)
	must(t, s.UpdateMetadata(func(m *Metadata) { m.ProjectPath = "/p" }))
	must(t, s.Close())
	spoil(dir)
	return dir
}

// spoil replaces the content of the files of a pattern, or removes the files if change returns nil.
func spoil(t *testing.T, change func([]byte) []byte, pattern ...string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(found) == 0 {
		t.Fatalf("nothing matches %v: %v", pattern, err)
	}
	for _, f := range found {
		data, err := os.ReadFile(f)
		must(t, err)
		must(t, os.Remove(f))
		if data = change(data); data != nil {
			write(t, f, data)
		}
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	must(t, os.WriteFile(path, data, 0o600))
}

var damages = map[string]func([]byte) []byte{
	"cut":     func(b []byte) []byte { return b[:len(b)/2] },
	"removed": func([]byte) []byte { return nil },
	"inverted": func(b []byte) []byte {
		for i := range b {
			b[i] = ^b[i]
		}
		return b
	},
	"bit":      func(b []byte) []byte { b[len(b)-7] ^= 4; return b },
	"head":     func(b []byte) []byte { copy(b, strings.Repeat("to be or not to be ", 27)); return b },
	"appended": func(b []byte) []byte { return append(b, 0) },
}

// An unreadable text index is repaired by Open or reported as INDEX_CORRUPT. After Quarantine the other parts work.
func TestDamagedText(t *testing.T) {
	for _, pattern := range []string{"root.bolt", "*.zap"} {
		for _, how := range []string{"inverted", "cut", "removed"} {
			t.Run(pattern+" "+how, func(t *testing.T) {
				dir := spoiled(t, func(dir string) { spoil(t, damages[how], dir, "index.bleve", pattern) })
				s, err := Open(t.Context(), dir, Options{Tables: testTables(), ModelHash: "model", ChunkerVersion: "1"})
				if err != nil {
					if moved, qerr := Quarantine(dir, err); api.CodeOf(err) != api.IndexCorrupt || qerr != nil || len(moved) == 0 {
						t.Fatalf("%v, want INDEX_CORRUPT; backup: %v, %v", err, moved, qerr)
					}
					s = open(t, dir)
				}
				defer s.Close()
				want(t, "the other corpus", texts(t, s, api.CorpusDocs, "prose"), []string{"README.md: word of prose"})
				left := s.Stats().Files - s.Stats().DocFiles
				want(t, "files that are found", len(texts(t, s, api.CorpusCode, "word")), left)
				if pattern == "*.zap" && left > 0 {
					t.Errorf("%d files are left of none", left)
				}
				commit(t, s, api.CorpusCode, file("f1.go", "fresh again"))
				fill(t, s, 10)
				want(t, "new text", texts(t, s, api.CorpusCode, "fresh"), []string{"f1.go: fresh again"})
				clean(t, s)
			})
		}
	}
}

// Unreadable fingerprints are rebuilt from the text index. All other files of a store may be lost.
func TestDamagedFiles(t *testing.T) {
	for _, tc := range []struct{ file, how string }{
		{"fingerprints.json", "cut"}, {"fingerprints.json", "inverted"}, {files.StampsName, "inverted"},
		{manifestName, "removed"}, {manifestName, "cut"}, {files.MetadataName, "inverted"},
		{"fingerprints.journal", "appended"},
	} {
		t.Run(tc.file+" "+tc.how, func(t *testing.T) {
			s := open(t, spoiled(t, func(dir string) { spoil(t, damages[tc.how], dir, tc.file) }))
			want(t, "files and chunks", []int{s.Stats().Files, s.Stats().Chunks}, []int{21, 41})
			want(t, "text", texts(t, s, api.CorpusCode, "number7"), []string{"f7.go: word number7"})
			fill(t, s, 100)
			clean(t, s)
		})
	}
}

// A fingerprint without rows must not hide its file from the next scan.
func TestHoles(t *testing.T) {
	dir := spoiled(t, func(dir string) {
		f, _, err := files.OpenFingerprints(dir, "fingerprints.json")
		must(t, err)
		must(t, f.Append(map[string]files.Hash{"ghost.go": {1}}, []string{"f3.go"}))
		must(t, f.Close())
	})
	s := open(t, dir)
	if _, ok := s.CorpusOf("ghost.go"); ok {
		t.Error("a fingerprint without rows survived")
	}
	want(t, "rows without fingerprint", texts(t, s, api.CorpusCode, "number3"), []string(nil))
	fill(t, s, 100)
	clean(t, s)

	c := s.corpora[api.CorpusCode]
	must(t, c.prints.Append(map[string]files.Hash{"ghost.go": {1}}, nil))
	c.set("ghost.go", entry{hash: files.Hash{1}, chunks: 2})
	orphan := file("f5.go", "row of nobody")
	must(t, c.text.Apply(t.Context(), textChange(orphan)))
	must(t, c.vectors.Add(t.Context(), []vector.Row{{ID: "x", Path: "nowhere.go", ContentHash: "h"}}))
	r, err := s.Check(t.Context())
	must(t, err)
	got := r.Corpora[api.CorpusCode]
	want(t, "check", []any{got.NoRows, got.OrphanRows, got.OrphanVectors, r.Clean()},
		[]any{[]string{"ghost.go"}, 1, 1, false})
	must(t, s.Repair(t.Context(), r))
	clean(t, s)
	want(t, "files", s.Stats().Files, 20)
}

func TestForeignIndex(t *testing.T) {
	dir := spoiled(t, func(dir string) {
		for _, name := range []string{"index.bleve", "docs.bleve", manifestName, files.StampsName} {
			must(t, os.RemoveAll(filepath.Join(dir, name)))
		}
		write(t, filepath.Join(dir, "index.lancedb", ".lock"), []byte("4711"))
	})
	s := open(t, dir)
	want(t, "files", s.Stats().Files, 0)
	commit(t, s, api.CorpusCode, file("f1.go", "word"))
	fill(t, s, 10)
	want(t, "vectors", []int{s.Stats().Chunks, s.Stats().Vectors}, []int{1, 1})
	clean(t, s)
}

func TestOpenFilesAreNoDamage(t *testing.T) {
	var s Store
	for _, damage := range []error{text.ErrCorrupt, vector.ErrCorrupt, files.ErrDamaged} {
		for _, cause := range []error{syscall.EMFILE, syscall.ENFILE} {
			if err := s.apiError(fmt.Errorf("open: %w: %w", damage, cause), 0); api.CodeOf(err) != api.Internal ||
				!strings.Contains(api.Known(err, "").UserMessage, "ulimit -n") {
				t.Errorf("%v: %v", damage, err)
			}
		}
		err := s.apiError(fmt.Errorf("open /tmp/%v/index: %w", syscall.EMFILE, damage), 0)
		if api.CodeOf(err) != api.IndexCorrupt {
			t.Errorf("%v in a path: %v", damage, err)
		}
	}
}
