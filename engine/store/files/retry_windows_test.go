package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// A file that another program opens briefly is read, replaced and removed. A permanent lock is an error.
func TestLockedFileIsRetried(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	must(t, WriteFile(path, []byte("old")))
	hold := func() *os.File { // like Go and most programs
		f, err := os.Open(path)
		must(t, err)
		return f
	}
	f := hold()
	time.AfterFunc(40*time.Millisecond, func() { f.Close() })
	must(t, WriteFile(path, []byte("new")))
	if text, err := os.ReadFile(path); string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	f = hold()
	if err := Remove(path); !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
		t.Errorf("removed under a program that keeps it: %v", err)
	}
	f.Close()
	if err := Remove(path); err != nil {
		t.Error(err)
	}
	must(t, WriteFile(path, []byte("scanned")))
	name, err := windows.UTF16PtrFromString(path)
	must(t, err)
	scanner, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, 0, 0) // no sharing
	must(t, err)
	time.AfterFunc(40*time.Millisecond, func() { _ = windows.CloseHandle(scanner) })
	if text, err := ReadFile(path); string(text) != "scanned" {
		t.Errorf("%q, %v", text, err)
	}
}
