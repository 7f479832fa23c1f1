//go:build unix

package policy

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonBlock keeps an open from waiting for the other end of a pipe that took a file's place.
const nonBlock = syscall.O_NONBLOCK

func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// ours reports whether a file is this user's or root's.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || st.Uid == 0)
}

// heldByOther: no program keeps others from reading here.
func heldByOther(error) bool { return false }

// kind is what a file is.
func kind(info fs.FileInfo) fs.FileMode { return info.Mode() }

// readable asks the system whether this process may read the file, for files that not everybody may. It is asked by the
// open folder, so nothing outside is touched.
func (d *folder) readable(name string, info fs.FileInfo) error {
	mode := info.Mode().Perm()
	if mode&0o444 == 0o444 {
		return nil
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && mode&0o400 != 0 && int(st.Uid) == os.Geteuid() {
		return nil
	}
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Faccessat(int(f.Fd()), name, unix.R_OK, 0)
}
