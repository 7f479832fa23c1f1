// Package memory bounds what Go's heap grows to during work that allocates much and keeps little.
//
// It knows nothing about the work. It has no goroutines; its lock is held while the collector's settings change.
package memory

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	// defaultPercent is Go's own, unless the user has set GOGC.
	defaultPercent = 100
	// While 50,000 files were indexed the process had 55 MB less at its peak by tightPercent, for one or two percent of
	// the processor time.
	tightPercent = 60
	// headroom is what Bound leaves above what is in use. Indexing 2,160 files within it takes 4 % more of the processor
	// than without a bound, and 50 MB less at the peak; within 96 MB it takes a tenth more.
	headroom = 128 << 20
)

// collector counts the callers of Tighten and Bound.
var collector counts

type counts struct {
	sync.Mutex
	tight, bounded int
	ownPercent     bool  // the user has set GOGC
	ownLimit       bool  // the user has set GOMEMLIMIT
	base           int64 // bytes in use when bounded became 1
}

// Tighten makes the collector run more often until each caller has called its loosen. A GOGC of the user's is kept.
func Tighten() (loosen func()) {
	c := &collector
	c.Lock()
	defer c.Unlock()
	if c.tight++; c.tight == 1 {
		if c.ownPercent = read("/gc/gogc:percent") != defaultPercent; !c.ownPercent {
			debug.SetGCPercent(tightPercent)
		}
	}
	return sync.OnceFunc(func() {
		c.Lock()
		defer c.Unlock()
		if c.tight--; c.tight == 0 && !c.ownPercent {
			debug.SetGCPercent(defaultPercent)
		}
	})
}

// Bound makes the collector run when Go's memory has grown by headroom for each caller that has not called release.
// It is for work that keeps little: if it kept much, the collector would run all the time. A GOMEMLIMIT of the user's
// is kept.
func Bound() (release func()) {
	c := &collector
	c.Lock()
	defer c.Unlock()
	if c.bounded++; c.bounded == 1 {
		c.ownLimit, c.base = debug.SetMemoryLimit(-1) != math.MaxInt64, inUse()
	}
	c.setLimit()
	return sync.OnceFunc(func() {
		c.Lock()
		defer c.Unlock()
		c.bounded--
		c.setLimit()
	})
}

// setLimit sets the memory limit for the number of callers of Bound. The lock is held.
func (c *counts) setLimit() {
	switch {
	case c.ownLimit:
	case c.bounded == 0:
		debug.SetMemoryLimit(math.MaxInt64)
	default:
		debug.SetMemoryLimit(c.base + int64(c.bounded)*headroom)
	}
}

// inUse is what counts towards a memory limit and would be there after a collection, in bytes.
func inUse() int64 {
	n := read("/memory/classes/total:bytes") + read("/gc/heap/live:bytes")
	for _, gone := range []string{"heap/released", "heap/free", "heap/objects"} {
		n -= read("/memory/classes/" + gone + ":bytes")
	}
	return n
}

// read returns a metric of the runtime.
func read(name string) int64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
