// Package memory gives memory back to the system when nothing happens.
//
// It knows nothing of what the process does: whoever does calls Release when the process has come to rest, and who
// maps files calls DropFiles. Who works with a lot of short-lived memory calls Tighten. It has no goroutines; its
// one lock is held for the moment of a change of the collector's setting.
package memory

import (
	"runtime/debug"
	"sync"
)

// Release gives back what can be had again for little: free pages of Go's heap, and on Linux the pages of the program,
// most of which were read once and stay in the system's cache anyway: with three projects at rest the app had 50 MB
// without the latter, and has 21. It takes some tens
// of milliseconds; what is touched again afterwards costs a page fault each, a few milliseconds for a search.
func Release() error {
	debug.FreeOSMemory()
	return dropCode()
}

// usualPercent is how much a heap may grow between two collections, of what was in use after the first, unless a
// person has set GOGC; tightPercent while it is tight. While 50,000 files were indexed the process had 55 MB less
// at its peak, for one or two percent of the processor time.
const (
	usualPercent = 100
	tightPercent = 60
)

var tight struct {
	sync.Mutex
	users   int
	changed bool // the setting is ours
}

// Tighten has the collector run more often until loosen was called, by everybody who called Tighten. A person's own
// GOGC stands.
func Tighten() (loosen func()) {
	tight.Lock()
	defer tight.Unlock()
	if tight.users++; tight.users == 1 {
		if was := debug.SetGCPercent(tightPercent); was == usualPercent {
			tight.changed = true
		} else {
			debug.SetGCPercent(was)
		}
	}
	return sync.OnceFunc(func() {
		tight.Lock()
		defer tight.Unlock()
		if tight.users--; tight.users == 0 && tight.changed {
			tight.changed = false
			debug.SetGCPercent(usualPercent)
		}
	})
}
