// Package memory gives memory back to the system when nothing happens.
//
// It knows nothing of what the process does: its caller calls Release when the process has come to rest, and code
// that maps files EvictFiles. Code with much short-lived memory calls Tighten or Bound. It has no goroutines;
// its lock is held for the moment of a change of the collector's settings.
package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// settings are those of Go's collector: how much a heap may grow between two collections, in percent of what was in use
// after the first, -1 for any amount; and how much Go's memory may be before there is one all the same, in bytes.
type settings struct {
	percent int
	limit   int64
}

// usual is what Go begins with unless a person has set GOGC or GOMEMLIMIT.
var usual = settings{100, math.MaxInt64}

const (
	// While 50,000 files were indexed the process had 55 MB less at its peak by tightPercent, for one or two percent of
	// the processor time.
	tightPercent = 60
	// room is what Bound leaves above what is in use. Indexing 2,160 files within it takes 4 % more of the processor than
	// without a bound, and 50 MB less at the peak; within 96 MB it takes a tenth more.
	room = 128 << 20
	// restRoom is what a process at rest may allocate before it counts as awake: less than two searches do.
	restRoom = 8 << 20
)

// collector is what is wanted of Go's collector at the moment, and by how many.
var collector struct {
	sync.Mutex
	tight, bounded int
	resting        bool
	rests          int   // how often the process came to rest
	base           int64 // what was in use when bounded was 0, or when the process came to rest

	found settings // before anything was wanted
	set   settings
}

// want changes what is wanted of the collector and sets it so. What a person has set stands.
func want(change func()) {
	c := &collector
	c.Lock()
	defer c.Unlock()
	if c.tight == 0 && c.bounded == 0 && !c.resting {
		c.found = current()
		c.set = c.found
	}
	change()
	c.resting = c.resting && c.tight == 0 && c.bounded == 0 && c.found == usual
	next := c.found
	if c.found.percent == usual.percent {
		switch {
		case c.tight > 0:
			next.percent = tightPercent
		case c.resting:
			next.percent = -1
		}
	}
	if c.found.limit == usual.limit {
		switch {
		case c.bounded > 0:
			next.limit = c.base + int64(c.bounded)*room
		case c.resting:
			next.limit = c.base + restRoom
		}
	}
	if next.limit != c.set.limit {
		debug.SetMemoryLimit(next.limit)
	}
	if next.percent != c.set.percent {
		debug.SetGCPercent(next.percent)
	}
	c.set = next
}

// Release gives back what can be had again for little: free pages of Go's heap, and on Linux the pages of the program,
// most of which were read once and stay in the system's cache anyway: with three projects at rest the app had 50 MB
// without the latter, and has 21. It takes some tens of milliseconds; what is touched again afterwards costs a page
// fault each, a few milliseconds for a search.
//
// From then on the process is at rest until it has allocated restRoom, unless somebody works. At rest it has no
// collection every two minutes, which would find next to nothing and read 9 MB of those pages again, a bridge's
// included.
func Release() error {
	debug.FreeOSMemory()
	want(func() {
		if collector.tight > 0 || collector.bounded > 0 {
			return
		}
		collector.resting, collector.base = true, inUse()
		collector.rests++
		runtime.SetFinalizer(&sentinel{collector.rests}, (*sentinel).wake)
	})
	return evictCode()
}

// sentinel is unreachable from the beginning of a rest on, so that the next collection tells of itself.
type sentinel struct{ rest int }

func (s *sentinel) wake() {
	want(func() {
		if collector.rests == s.rest {
			collector.resting = false
		}
	})
}

// Tighten has the collector run more often until loosen was called, by everybody who called Tighten. A person's own
// GOGC stands.
func Tighten() (loosen func()) {
	want(func() { collector.tight++ })
	return sync.OnceFunc(func() { want(func() { collector.tight-- }) })
}

// Bound has the collector run when Go's memory has grown by room for each of those that called Bound, until release was
// called. It is for work that keeps little: what kept much would have the collector run all the time. A person's own
// GOMEMLIMIT stands.
func Bound() (release func()) {
	want(func() {
		if collector.bounded++; collector.bounded == 1 {
			collector.base = inUse()
		}
	})
	return sync.OnceFunc(func() { want(func() { collector.bounded-- }) })
}

// current reads the collector's settings, which no other package changes.
func current() settings {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(s)
	return settings{int(s[0].Value.Uint64()), int64(s[1].Value.Uint64())} // any growth is told as the largest number
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
