package watch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/windows"
)

// record writes a FILE_NOTIFY_INFORMATION.
func record(action uint32, name string, last bool) []byte {
	text := utf16.Encode([]rune(name))
	size := (12 + 2*len(text) + 3) &^ 3
	b := make([]byte, size)
	if !last {
		binary.LittleEndian.PutUint32(b, uint32(size))
	}
	binary.LittleEndian.PutUint32(b[4:], action)
	binary.LittleEndian.PutUint32(b[8:], uint32(2*len(text)))
	for i, c := range text {
		binary.LittleEndian.PutUint16(b[12+2*i:], c)
	}
	return b
}

func TestDecode(t *testing.T) {
	var buf []byte
	buf = append(buf, record(windows.FILE_ACTION_ADDED, `a\ü.go`, false)...)
	buf = append(buf, record(windows.FILE_ACTION_RENAMED_OLD_NAME, `b`, false)...)
	buf = append(buf, record(99, `unknown`, false)...)
	buf = append(buf, record(windows.FILE_ACTION_REMOVED, `c d\e`, true)...)
	got := decode(`C:\p`, buf)
	want := []fsnotify.Event{{Name: `C:\p\a\ü.go`, Op: fsnotify.Create}, {Name: `C:\p\b`, Op: fsnotify.Rename},
		{Name: `C:\p\c d\e`, Op: fsnotify.Remove}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for n := range buf { // whatever is cut off, nothing is read beyond
		decode(`C:\p`, buf[:n])
	}
}

// WatchList is what the tests compare with the disk where each folder has a handle.
func (r *recursive) WatchList() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, t := range r.trees {
		if t.only == "" {
			list = append(list, t.dir)
		}
	}
	return list
}

// TestOneHandle: everything below is seen through the top's handle, and folders can be renamed although they are
// watched.
func TestOneHandle(t *testing.T) {
	top := t.TempDir()
	inner := filepath.Join(top, "outer", "inner")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if wine {
		inner = top
	}
	s := openRecursive(false)
	for _, dir := range []string{top, filepath.Join(top, "outer"), inner} {
		if err := s.Add(dir); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.trees); n != 1 {
		t.Errorf("%d handles", n)
	}
	seen := make(chan fsnotify.Event, 100)
	go func() {
		defer close(seen)
		for e := range s.Events() {
			seen <- e
		}
	}()
	if err := os.WriteFile(filepath.Join(inner, "a.go"), []byte("package a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for e := range seen {
		if e.Name == filepath.Join(inner, "a.go") && e.Op == fsnotify.Create {
			break
		}
	}
	moved := filepath.Join(top, "moved")
	if err := os.Rename(filepath.Join(top, "outer"), moved); err != nil {
		t.Fatal(err)
	}
	for e := range seen {
		if e.Name == moved && e.Op == fsnotify.Create {
			break
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for range seen { // ends with the channel
	}
	if err := s.Add(top); !errors.Is(err, errDead) {
		t.Errorf("add after close: %v", err)
	}
}

// TestWatchName: a folder's handle goes with it and says nothing; the folder above tells that the name means another
// one now.
func TestWatchName(t *testing.T) {
	above := t.TempDir()
	root, old := filepath.Join(above, "project"), filepath.Join(above, "project.old")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	s := openRecursive(false)
	defer s.Close()
	if err := errors.Join(s.WatchName(root), s.WatchName(root), s.Add(root)); err != nil {
		t.Fatal(err)
	}
	if n := len(s.trees); n != 2 { // the name is not taken for a watch of what is below it
		t.Errorf("%d handles", n)
	}
	done := make(chan error, 1)
	go func() {
		done <- errors.Join(os.Mkdir(filepath.Join(above, "beside"), 0o755), os.Rename(root, old))
	}()
	for e := range s.Events() {
		if e.Name != root {
			t.Fatalf("told of %s", e)
		}
		if e.Op == fsnotify.Rename {
			break
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := s.WatchName(`C:\`); err != nil { // nothing is above
		t.Error(err)
	}
}
