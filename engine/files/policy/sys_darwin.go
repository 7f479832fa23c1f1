package policy

import (
	"io/fs"
	"syscall"
)

// darwinDataless is the flag of a file whose content is in iCloud or another file provider's hands (SF_DATALESS of
// sys/stat.h).
const darwinDataless = 0x40000000

// elsewhere reports whether a file's content would have to be fetched to be read.
func elsewhere(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Flags&darwinDataless != 0
}
