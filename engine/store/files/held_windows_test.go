package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestHeld: what another program has open for a moment is replaced, renamed and removed all the same; what it keeps is
// an error.
func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	hold := func() *os.File { // as Go and most programs open files
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
}
