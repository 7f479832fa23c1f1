//go:build unix

package desktop

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestModes checks that files of the process are private, and files of programs started for the user are not.
func TestModes(t *testing.T) {
	const usual = 0o022
	before := syscall.Umask(usual)
	defer syscall.Umask(before)
	mask := KeepPrivate()
	defer RestoreMask(mask)

	dir := t.TempDir()
	ours, theirs := filepath.Join(dir, "ours"), filepath.Join(dir, "their file")
	f, err := os.OpenFile(ours, os.O_CREATE|os.O_WRONLY, 0o666)
	check(t, err)
	check(t, f.Close())
	if out, err := command(mask, "touch", theirs).CombinedOutput(); err != nil {
		t.Fatalf("touch: %v: %s", err, out)
	}
	for path, want := range map[string]os.FileMode{ours: 0o600, theirs: 0o644} {
		info, err := os.Stat(path)
		check(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(path), got, want)
		}
	}
	RestoreMask(mask)
	if got := syscall.Umask(usual); got != usual {
		t.Errorf("mask after RestoreMask %o, want %o", got, usual)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
