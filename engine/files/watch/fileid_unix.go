//go:build unix

package watch

import (
	"io/fs"
	"os"
	"syscall"
)

func fileIDOf(fi fs.FileInfo) fileID {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return fileID{dev: uint64(st.Dev), ino: uint64(st.Ino)}
	}
	return fileID{}
}

func openedID(_ *os.File, fi fs.FileInfo) fileID { return fileIDOf(fi) }
