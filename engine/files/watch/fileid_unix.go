//go:build unix

package watch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// fileIDOf returns what tells one folder from another of the same name.
func fileIDOf(fi fs.FileInfo) fileID {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return fileID{dev: uint64(st.Dev), ino: uint64(st.Ino)}
	}
	return fileID{}
}

// openedID returns the same of a folder that is open.
func openedID(_ *os.File, fi fs.FileInfo) fileID { return fileIDOf(fi) }

// superuser reads everything, so no file's mode needs a look.
func superuser() bool { return os.Geteuid() == 0 }

// readable asks for the effective user; a file that may be read by everybody needs no system call.
func readable(abs string, mode fs.FileMode) bool {
	if mode.Perm()&0o444 == 0o444 {
		return true
	}
	return unix.Faccessat(unix.AT_FDCWD, abs, unix.R_OK, unix.AT_EACCESS) == nil
}
