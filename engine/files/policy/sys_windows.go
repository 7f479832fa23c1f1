package policy

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/windows"
)

// nonBlock is 0, because Windows pipes have a separate name space.
const nonBlock = 0

// inode returns 0, because Windows returns file IDs only for open files.
func inode(fs.FileInfo) uint64 { return 0 }

// trustedOwner returns true, because a user's folders often belong to the group of administrators.
func trustedOwner(fs.FileInfo) bool { return true }

func (d *folder) readable(string, fs.FileInfo) error { return nil }

func lockedByOther(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

func kind(info fs.FileInfo) fs.FileMode { return windowsKind(info.Mode(), attributes(info)) }

func elsewhere(info fs.FileInfo) bool { return windowsElsewhere(attributes(info)) }

func attributes(info fs.FileInfo) uint32 {
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return data.FileAttributes
	}
	return 0
}
