package policy

import "io/fs"

const (
	attributeDirectory          = 0x00000010
	attributeReparsePoint       = 0x00000400
	attributeOffline            = 0x00001000
	attributeRecallOnOpen       = 0x00040000
	attributeRecallOnDataAccess = 0x00400000
)

// windowsKind returns the type of a file on Windows. Junctions and mounted volumes count as links. Other reparse
// points, such as OneDrive files, count as regular files.
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

// windowsElsewhere reports whether reading a file would download the file from a cloud drive.
func windowsElsewhere(attributes uint32) bool {
	return attributes&(attributeOffline|attributeRecallOnOpen|attributeRecallOnDataAccess) != 0
}
