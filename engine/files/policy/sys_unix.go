//go:build unix

package policy

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonBlock prevents open from blocking on a pipe that has replaced a file.
const nonBlock = syscall.O_NONBLOCK

func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

func trustedOwner(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || st.Uid == 0)
}

// lockedByOther returns false, because only Windows locks files against readers.
func lockedByOther(error) bool { return false }

func kind(info fs.FileInfo) fs.FileMode { return info.Mode() }

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
