package policy

import (
	"io/fs"
	"syscall"
)

// darwinDataless is SF_DATALESS of sys/stat.h. Files with this flag have their content in iCloud or another file
// provider.
const darwinDataless = 0x40000000

func elsewhere(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Flags&darwinDataless != 0
}
