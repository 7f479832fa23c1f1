package watch

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mount skips the test if the user may not mount.
func mount(t *testing.T, dir string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o700))
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

func TestRootUnmounted(t *testing.T) {
	root := filepath.Join(t.TempDir(), "disk")
	mount(t, root)
	write(t, filepath.Join(root, "a.go"), "1")
	r := watchFolder(t, root, Options{}).started()
	must(t, syscall.Unmount(root, syscall.MNT_DETACH))
	// The remaining empty folder is not an emptied project.
	bs := r.await("root gone", func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.RootGone }) })
	if has(bs, func(b Batch) bool { return b.Rescan || b.Back }) {
		t.Errorf("events: %s", show(bs))
	}
	r.forget()
	mount(t, root)
	r.write("b.go", "1")
	r.w.Check()
	r.await("root back", func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.Back && b.Rescan }) })
	r.forget()
	r.write("b.go", "22")
	r.expect("b.go")
}

func TestMountBelowTheRoot(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "data", "under.go"), "1")
	r := watchFolder(t, root, Options{}).started()
	remounted := func(bs []Batch) bool {
		return has(bs, func(b Batch) bool { return b.Rescan && b.Cause == CauseMount })
	}
	mount(t, filepath.Join(root, "data"))
	r.await("a rescan", remounted)
	r.forget()
	r.write("data/over.go", "1")
	r.expect("data/over.go")
	must(t, syscall.Unmount(filepath.Join(root, "data"), syscall.MNT_DETACH))
	r.await("a rescan", remounted)
	r.forget()
	r.write("data/under.go", "22")
	r.expect("data/under.go")
}

func TestBindMount(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "one", "in", "a.go"), "1")
	must(t, os.MkdirAll(filepath.Join(root, "two"), 0o700))
	if err := syscall.Mount(filepath.Join(root, "one"), filepath.Join(root, "two"), "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(filepath.Join(root, "two"), syscall.MNT_DETACH) })
	r := watchFolder(t, root, Options{}).started()
	if s := r.w.Status(); s.Watched != 3 || s.Polled != 2 || s.Note == "" {
		t.Errorf("%+v", s)
	}
}

func TestShares(t *testing.T) {
	for device, want := range map[uint64]bool{unix.Mkdev(0, 49): true, unix.Mkdev(8, 1): false} {
		wantEqual(t, isShare(0x65735546, device), want, "FUSE on device %d", device)
	}
}

func TestRemedy(t *testing.T) {
	for err, key := range map[error]string{
		syscall.ENOSPC: "fs.inotify.max_user_watches", syscall.EMFILE: "fs.inotify.max_user_instances",
	} {
		now := sysctl(key)
		if now == 0 {
			t.Errorf("%s can't be read", key)
		}
		if text := limitAdvice(err); !strings.Contains(text, "sudo sysctl "+key+"=") {
			t.Errorf("%s", text)
		}
	}
}
