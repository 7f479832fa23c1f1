package watch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/windows"
)

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
	wantEqual(t, fmt.Sprint(got), fmt.Sprint(want), "%v, want %v", got, want)
	for n := range buf { // decode must not read beyond a truncated buffer
		decode(`C:\p`, buf[:n])
	}
}

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

func TestOneHandle(t *testing.T) {
	top := t.TempDir()
	inner := filepath.Join(top, "outer", "inner")
	must(t, os.MkdirAll(inner, 0o755))
	if wine {
		inner = top
	}
	q := newQueue(100)
	s := openRecursive(q, true)
	must(t, errors.Join(s.Add(top), s.Add(top)))
	wantEqual(t, len(s.trees), 1, "trees")
	must(t, os.WriteFile(filepath.Join(inner, "a.go"), []byte("package a\n"), 0o644))
	reported(t, q, filepath.Join(inner, "a.go"), fsnotify.Create)
	moved := filepath.Join(top, "moved")
	must(t, os.Rename(filepath.Join(top, "outer"), moved))
	reported(t, q, moved, fsnotify.Create)
	must(t, errors.Join(s.Close(), s.Close(), s.Add(top)))
	wantEqual(t, len(s.trees), 0, "trees")
}

func TestWatchName(t *testing.T) {
	above := t.TempDir()
	root, old := filepath.Join(above, "project"), filepath.Join(above, "project.old")
	must(t, os.Mkdir(root, 0o755))
	q := newQueue(100)
	s := openRecursive(q, true)
	defer s.Close()
	must(t, errors.Join(s.WatchName(root), s.WatchName(root), s.Add(root)))
	if n := len(s.trees); n != 2 { // the watch of the name does not count
		t.Errorf("%d handles", n)
	}
	must(t, errors.Join(os.Mkdir(filepath.Join(above, "beside"), 0o755), os.Rename(root, old)))
	for name := range reported(t, q, root, fsnotify.Rename) {
		wantEqual(t, name, root, "event for")
	}
	if err := s.WatchName(`C:\`); err != nil { // the root of a drive has no parent
		t.Error(err)
	}
}

func TestSingleFolder(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "below"), 0o700))
	q := newQueue(100)
	s := openNotify(q)
	must(t, errors.Join(s.Add(dir), s.Add(strings.ToUpper(dir))))
	wantEqual(t, len(s.(*recursive).trees), 1, "trees")
	for _, name := range []string{filepath.Join("below", "a"), ".gitignore"} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	for name := range reported(t, q, filepath.Join(dir, ".gitignore"), fsnotify.Create) {
		if filepath.Base(name) == "a" {
			t.Errorf("event for %s", name)
		}
	}
	must(t, s.Close())
}

func TestRemoveAmongChanges(t *testing.T) {
	q := newQueue(10)
	src := openNotify(q)
	dir := t.TempDir()
	for range 300 {
		must(t, src.Add(dir))
		must(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o600))
		must(t, src.Remove(dir))
		if _, _, err := q.take(); err != nil {
			t.Fatal(err)
		}
	}
	must(t, src.Close())
}

func TestOverflow(t *testing.T) {
	dir := t.TempDir()
	q := newQueue(100_000)
	s := openRecursive(q, true)
	must(t, s.Add(dir))
	name := func(i int) string { return filepath.Join(dir, fmt.Sprintf("%0100d", i)) }
	q.mu.Lock()                           // so that the changes wait in the system's buffer
	for i := range 2 * treeBuffer / 200 { // bytes of a change's name
		if err := os.WriteFile(name(i), nil, 0o600); err != nil {
			t.Error(err)
		}
	}
	q.mu.Unlock()
	for range q.signal {
		if _, overflow, err := q.take(); err != nil {
			t.Fatal(err)
		} else if overflow {
			break
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "after"), nil, 0o600))
	reported(t, q, filepath.Join(dir, "after"), fsnotify.Create)
	must(t, s.Close())
}

func TestShortName(t *testing.T) {
	long := filepath.Join(t.TempDir(), "a folder of a long name")
	must(t, os.Mkdir(long, 0o700))
	must(t, os.WriteFile(filepath.Join(long, "configuration.json"), nil, 0o600))
	dir, name := shortName(t, long), filepath.Base(shortName(t, filepath.Join(long, "configuration.json")))
	if dir == long || name == "configuration.json" {
		t.Skip("this disk has no short names")
	}
	wantEqual(t, withLongName(dir, name), filepath.Join(dir, "configuration.json"), "withLongName")
	wantEqual(t, withLongName(dir, "GONE~1"), filepath.Join(dir, "GONE~1"), "withLongName")
}

func shortName(t *testing.T, path string) string {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	must(t, err)
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetShortPathName(name, &buf[0], uint32(len(buf)))
	must(t, err)
	return windows.UTF16ToString(buf[:n])
}
