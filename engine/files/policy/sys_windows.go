package policy

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/windows"
)

// nonBlock is not needed: pipes have a name space of their own here.
const nonBlock = 0

// inode is not to be had without opening the file; size and time decide alone.
func inode(fs.FileInfo) uint64 { return 0 }

// ours is not asked for here: a folder's owner is often a group of administrators.
func ours(fs.FileInfo) bool { return true }

// readable leaves it to the open: access lists can't be told from the mode.
func (d *folder) readable(string, fs.FileInfo) error { return nil }

// heldByOther reports whether another program has the file, or the part that was asked for, to itself.
func heldByOther(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

// kind is what a file is, see windowsKind.
func kind(info fs.FileInfo) fs.FileMode { return windowsKind(info.Mode(), attributes(info)) }

// elsewhere reports whether a file's content would have to be fetched to be read, see windowsElsewhere.
func elsewhere(info fs.FileInfo) bool { return windowsElsewhere(attributes(info)) }

func attributes(info fs.FileInfo) uint32 {
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return data.FileAttributes
	}
	return 0
}
