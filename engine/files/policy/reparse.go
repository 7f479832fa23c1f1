package policy

import "io/fs"

const (
	attributeDirectory          = 0x00000010
	attributeReparsePoint       = 0x00000400
	attributeOffline            = 0x00001000
	attributeRecallOnOpen       = 0x00040000
	attributeRecallOnDataAccess = 0x00400000
)

// windowsKind returns the mode for the indexing rules. Go reports all reparse points except symbolic links as
// irregular. windowsKind treats junctions and mounted volumes as links, and other reparse points, such as OneDrive
// files, as regular files.
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

// windowsElsewhere reports whether reading a file would download it from a cloud drive or fetch it from slow storage.
func windowsElsewhere(attributes uint32) bool {
	return attributes&(attributeOffline|attributeRecallOnOpen|attributeRecallOnDataAccess) != 0
}
