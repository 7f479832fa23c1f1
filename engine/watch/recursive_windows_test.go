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

// TestOneHandle: everything below is seen through the top's handle, and folders can be renamed although they are watched.
func TestOneHandle(t *testing.T) {
	top := t.TempDir()
	inner := filepath.Join(top, "outer", "inner")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if wine {
		inner = top
	}
	s, err := openRecursive()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{top, filepath.Join(top, "outer"), inner} {
		if err := s.Add(dir); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.(*recursive).trees); n != 1 {
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
