//go:build linux

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestUnwritableDataFolder checks that an app that starts in a read-only data folder answers from its indexes, refuses
// changes with a reason, and indexes again once the folder is writable.
func TestUnwritableDataFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"a.go": "package a\n\n// Voucher redeems a code.\nfunc Voucher() {}\n"})
	site := filepath.Join(w.home, "s.json")
	w.write(site, fmt.Sprintf(siteIndex, "mysite"))
	w.write(site+".json", fmt.Sprintf(siteIndex, "other"))
	w.mustCLI("index", root, "--yes")
	w.mustCLI("site", "add", site)
	w.mustCLI("archive", "import", root)
	w.mustCLI("stop")
	release := readOnly(t, w.data)
	e := w.connect(root)
	e.wantText("a.go", "search_code", map[string]any{"query": "Voucher"})
	w.write(filepath.Join(root, "b.go"), "package a\n\nfunc Rebate() {}\n")
	for _, args := range [][]string{{"status"}, {"doctor"}, {"reindex", "--project", root, "--yes"},
		{"delete", "--project", root, "--yes"}, {"index", t.TempDir(), "--yes"}, {"reindex", "b.go", "--project", root},
		{"pause"}, {"pause", root}, {"resume"}, {"purge"}, {"root", "add", t.TempDir(), "--yes", "--project", root},
		{"settings", "set", "threads", "2"}, {"documents", "add", root}, {"site", "remove", "mysite"},
		{"site", "add", site + ".json"}, {"archive", "import", t.TempDir()}, {"archive", "remove", root}} {
		if out, _ := w.cli(args...); !strings.Contains(out, "Can't write to") || !strings.Contains(out, "permissions") {
			t.Errorf("%s does not name the cause: %s", args, out)
		}
	}
	if text, _ := e.text("search_code", map[string]any{"query": "Voucher"}); !strings.Contains(text, "a.go") {
		t.Errorf("search after refused changes: %s", text)
	}
	release()
	w.await("the new file", func() bool {
		out, _ := w.cli("search", "--project", root, "Rebate")
		return strings.Contains(out, "b.go")
	})
	if out, _ := w.cli("status"); strings.Contains(out, "Can't write to") {
		t.Errorf("the problem stays: %s", out)
	}
}

// readOnly prevents all writes below dir until release is called: for root by a mount, for other users by permissions.
func readOnly(t *testing.T, dir string) (release func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		chmod := func(folder, file os.FileMode) {
			if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
				mode := file
				if err == nil && d.IsDir() {
					mode = folder
				}
				return errors.Join(err, os.Chmod(path, mode))
			}); err != nil {
				t.Error(err)
			}
		}
		t.Cleanup(func() { chmod(0o700, 0o600) })
		chmod(0o500, 0o400)
		return func() { chmod(0o700, 0o600) }
	}
	if err := syscall.Mount(dir, dir, "", syscall.MS_BIND, ""); errors.Is(err, syscall.EPERM) {
		t.Skip("root may not mount here: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	remount := func(flags uintptr) {
		check(t, syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|flags, ""))
	}
	remount(syscall.MS_RDONLY)
	return func() { remount(0) }
}
