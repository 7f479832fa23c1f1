//go:build unix

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A change without an event is indexed after a search has found it.
func TestStaleFileIsQueued(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a.go": "package a\n\nfunc OldWombat() int { return 1 }\n"})
	e := open(t, t.TempDir())
	create(t, e, root)
	watched(t, e, root)
	write(t, filepath.Join(root, "b.go"), "package a\n\nfunc Numbat() {}\n")
	eventually(t, e, "the end of the comparison at the start", func() bool {
		return len(find(t, e, root, "Numbat").Hits) > 0
	})
	file, err := os.OpenFile(filepath.Join(root, "a.go"), os.O_RDWR, 0)
	must(t, err)
	defer file.Close()
	info, err := file.Stat()
	must(t, err)
	data, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Skipf("no mapping of files here: %v", err)
	}
	copy(data[strings.Index(string(data), "OldWombat"):], "NewQuokka")
	must(t, unix.Msync(data, unix.MS_SYNC))
	must(t, unix.Munmap(data))
	if r := find(t, e, root, "OldWombat"); len(r.Hits) == 0 || !r.Hits[0].Stale {
		t.Fatalf("the change is not seen: %+v", r.Hits)
	}
	eventually(t, e, "the new text", func() bool {
		r := find(t, e, root, "NewQuokka")
		return len(r.Hits) > 0 && !r.Hits[0].Stale && strings.Contains(r.Hits[0].Text, "NewQuokka")
	})
}
