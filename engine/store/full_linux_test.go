package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// On a full disk a commit fails with DISK_FULL, and earlier commits are still found. Commits continue when the disk has
// space.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=12m")
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skip("mounting a small file system needs root")
	}
	must(t, err)
	t.Cleanup(func() { must(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	s, err := Open(t.Context(), filepath.Join(dir, "index"), Options{Tables: testTables(), ModelHash: "m"})
	must(t, err)
	needVectors(t, s)
	r := rand.New(rand.NewPCG(31, 32))
	committed := 0
	var failure error
	for n := 0; n < 200 && failure == nil; n++ {
		lines := make([]string, 200)
		for i := range lines {
			lines[i] = fmt.Sprintf("file%d %x", n, r.Uint64()) + strings.Repeat(fmt.Sprintf(" %x", r.Uint64()), 30)
		}
		if failure = s.Put(t.Context(), api.CorpusCode,
			[]FileChunks{file(fmt.Sprintf("f%d.go", n), lines...)}); failure == nil {
			committed++
		}
	}
	if api.CodeOf(failure) != api.DiskFull || !errors.Is(failure, syscall.ENOSPC) {
		t.Fatalf("after %d files: %v, want DISK_FULL", committed, failure)
	}
	if committed == 0 || s.Stats().Files != committed {
		t.Errorf("%d files are committed, %d were", s.Stats().Files, committed)
	}
	want(t, "chunks found of the first file", len(texts(t, s, api.CorpusCode, "file0")), 100)
	if err := s.PutVectors(t.Context(), api.CorpusCode, nil); err != nil {
		t.Errorf("no vectors: %v", err)
	}
	must(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=200m"))
	// The actor repeats the commit of the failed file, whose first attempt may have left rows.
	failed := file(fmt.Sprintf("f%d.go", committed), "there is room again")
	deadline := time.Now().Add(2 * time.Minute)
	for {
		err := s.Put(t.Context(), api.CorpusCode, []FileChunks{failed})
		if err == nil {
			break
		}
		if api.CodeOf(err) != api.DiskFull || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	fill(t, s, 500)
	clean(t, s)
	must(t, s.Close())
	s = openWith(t, filepath.Join(dir, "index"), Options{Tables: testTables(), ModelHash: "m"})
	want(t, "files after reopening", s.Stats().Files, committed+1)
	clean(t, s)
}
