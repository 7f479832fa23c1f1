//go:build unix

package watch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// fileIDOf returns the identity of a folder, independent of its name.
func fileIDOf(fi fs.FileInfo) fileID {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return fileID{dev: uint64(st.Dev), ino: uint64(st.Ino)}
	}
	return fileID{}
}

func openedID(_ *os.File, fi fs.FileInfo) fileID { return fileIDOf(fi) }

// superuser reports whether the process can read every file, whatever its mode.
func superuser() bool { return os.Geteuid() == 0 }

// readable checks the effective user's access. It saves the system call if the file is readable by all users.
func readable(abs string, mode fs.FileMode) bool {
	if mode.Perm()&0o444 == 0o444 {
		return true
	}
	return unix.Faccessat(unix.AT_FDCWD, abs, unix.R_OK, unix.AT_EACCESS) == nil
}
