package policy

import (
	"io/fs"
	"syscall"
)

// darwinDataless is the flag of files whose content is in iCloud (SF_DATALESS in sys/stat.h).
const darwinDataless = 0x40000000

func elsewhere(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Flags&darwinDataless != 0
}
