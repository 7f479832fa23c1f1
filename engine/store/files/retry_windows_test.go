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
func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	hold := func() *os.File { // like Go and most programs
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := hold()
	time.AfterFunc(40*time.Millisecond, func() { f.Close() })
	if err := WriteFile(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
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
	if err := WriteFile(path, []byte("scanned")); err != nil {
		t.Fatal(err)
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	scanner, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, 0, 0) // no sharing
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(40*time.Millisecond, func() { _ = windows.CloseHandle(scanner) })
	if text, err := ReadFile(path); string(text) != "scanned" {
		t.Errorf("%q, %v", text, err)
	}
}
