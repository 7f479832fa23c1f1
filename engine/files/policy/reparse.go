package policy

import "io/fs"

// Windows's file attributes (winnt.h) that matter here.
const (
	attributeDirectory          = 0x00000010
	attributeReparsePoint       = 0x00000400
	attributeOffline            = 0x00001000
	attributeRecallOnOpen       = 0x00040000
	attributeRecallOnDataAccess = 0x00400000
)

// windowsKind is a file's mode as the rules see it. Go calls every reparse point that is no symbolic link irregular.
// One that has the attribute of a folder but is none to Go leads elsewhere, as junctions and mounted volumes do: a
// link, which nobody follows. The others have their content themselves: files of OneDrive and the like, which are
// regular.
func windowsKind(mode fs.FileMode, attributes uint32) fs.FileMode {
	if mode&fs.ModeIrregular == 0 || attributes&attributeReparsePoint == 0 {
		return mode
	}
	mode &^= fs.ModeIrregular
	if attributes&attributeDirectory != 0 && !mode.IsDir() {
		mode |= fs.ModeSymlink
	}
	return mode
}

// windowsElsewhere reports whether reading or even opening a file would download it: placeholders of cloud drives, and
// what was archived to slow storage.
func windowsElsewhere(attributes uint32) bool {
	return attributes&(attributeOffline|attributeRecallOnOpen|attributeRecallOnDataAccess) != 0
}
