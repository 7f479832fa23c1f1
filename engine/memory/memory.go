// Package memory gives memory back to the system when nothing happens.
//
// It knows nothing of what the process does: whoever does calls Release when the process has come to rest, and who maps
// files calls DropFiles. Who works with a lot of short-lived memory calls Tighten. It has no goroutines; its one lock is held for the
// moment of a change of the collector's setting.
package memory

import (
	"os"
	"runtime/debug"
	"sync"
)

// Release gives back what can be had again for little: free pages of Go's heap, and on Linux the pages of the program and its
// libraries, most of which were read once while they were loaded and stay in the system's cache anyway. It takes some tens
// of milliseconds; what is touched again afterwards costs a page fault each, a few milliseconds for a search.
func Release() error {
	debug.FreeOSMemory()
	return dropCode()
}

// tightPercent is how much a heap may grow between two collections while it is tight. While 50,000 files were indexed the process had
// 55 MB less at its peak than with the usual 100, for one or two percent of the processor time.
const tightPercent = 60

var tight struct {
	sync.Mutex
	users int
	usual int
}

// Tighten has the collector run more often until loosen was called, by everybody who called Tighten. A person's own GOGC stands.
func Tighten() (loosen func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	tight.Lock()
	defer tight.Unlock()
	if tight.users++; tight.users == 1 {
		tight.usual = debug.SetGCPercent(tightPercent)
	}
	return sync.OnceFunc(func() {
		tight.Lock()
		defer tight.Unlock()
		if tight.users--; tight.users == 0 {
			debug.SetGCPercent(tight.usual)
		}
	})
}
