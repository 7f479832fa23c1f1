//go:build unix

package watch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func fileIDOf(fi fs.FileInfo) fileID {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return fileID{dev: uint64(st.Dev), ino: uint64(st.Ino)}
	}
	return fileID{}
}

func openedID(_ *os.File, fi fs.FileInfo) fileID { return fileIDOf(fi) }

// superuser reports whether the process can read every file regardless of its mode.
func superuser() bool { return os.Geteuid() == 0 }

func readable(abs string, mode fs.FileMode) bool {
	if mode.Perm()&0o444 == 0o444 {
		return true
	}
	return unix.Faccessat(unix.AT_FDCWD, abs, unix.R_OK, unix.AT_EACCESS) == nil
}
