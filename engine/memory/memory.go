// Package memory gives memory back to the system when nothing happens.
//
// It knows nothing of what the process does: whoever does calls Release when the process has come to rest, and who
// maps files calls DropFiles. Who works with a lot of short-lived memory calls Tighten or Bound. It has no goroutines;
// its locks are held for the moment of a change of the collector's settings.
package memory

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
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

// room is what Bound leaves above what is in use. Indexing 2,160 files within it takes 4 % more of the processor than
// without a bound, and 50 MB less at the peak; within 96 MB it takes a tenth more.
const room = 128 << 20

var bound struct {
	sync.Mutex
	users int
	limit int64 // 0 where a person has set GOMEMLIMIT
}

// Bound has the collector run when Go's memory has grown by room for each of those that called Bound, until release was
// called. It is for work that keeps little: what kept much would have the collector run all the time. A person's own
// GOMEMLIMIT stands.
func Bound() (release func()) {
	bound.Lock()
	defer bound.Unlock()
	if bound.users++; bound.users == 1 {
		bound.limit = 0
		if debug.SetMemoryLimit(-1) == math.MaxInt64 {
			bound.limit = inUse()
		}
	}
	growBound(room)
	return sync.OnceFunc(func() {
		bound.Lock()
		defer bound.Unlock()
		if bound.users--; bound.users > 0 {
			growBound(-room)
		} else if bound.limit != 0 {
			debug.SetMemoryLimit(math.MaxInt64)
		}
	})
}

// growBound moves the limit; bound is locked.
func growBound(by int64) {
	if bound.limit != 0 {
		bound.limit += by
		debug.SetMemoryLimit(bound.limit)
	}
}

// inUse is what counts towards a memory limit and would be there after a collection, in bytes.
func inUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	n := int64(s[0].Value.Uint64())
	for _, gone := range s[1:4] {
		n -= int64(gone.Value.Uint64())
	}
	return n + int64(s[4].Value.Uint64())
}
