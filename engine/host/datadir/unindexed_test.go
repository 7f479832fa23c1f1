package datadir

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLeftOutOfDesktopSearch(t *testing.T) {
	dir := t.TempDir()
	mark := filepath.Join(dir, neverIndex)
	if err := ExcludeFromDesktopSearch(dir, "linux"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a mark of macOS on Linux")
	}
	for range 2 {
		if err := ExcludeFromDesktopSearch(dir, "darwin"); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(mark); err != nil || info.Size() != 0 {
		t.Errorf("%v, %v", info, err)
	}
	if runtime.GOOS != "windows" {
		return
	}
	if err := ExcludeFromDesktopSearch(dir, "windows"); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Errorf("the folder is of no use: %v", err)
	}
}
