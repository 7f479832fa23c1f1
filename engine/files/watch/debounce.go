package watch

import (
	"maps"
	"time"
)

// limits contains the settings of the debouncer. Tests use lower values.
type limits struct {
	quiet      time.Duration // time without changes before a batch is sent
	maxDelay   time.Duration // maximum time from a change to its batch
	noisyAfter time.Duration // after this time, a changing path no longer delays others
	maxPerDir  int           // changed paths in a folder; with more, the whole folder is compared
	maxPaths   int           // changed paths in a batch; with more, the whole project is compared
	maxPending int           // changed paths in memory; with more, the whole project is compared
}

var defaultLimits = limits{
	quiet:      500 * time.Millisecond, // stabilityThreshold in RFC 5.5
	maxDelay:   10 * time.Second,
	noisyAfter: 2 * time.Second,
	maxPerDir:  128,   // for more changed files, comparing the folder with the index is faster
	maxPaths:   1024,  // for more changed files, comparing the project with the index is faster
	maxPending: 50000, // about 10 MB
}

type changeWindow struct {
	first, last time.Time
	noisy       bool // still changing when its batch was sent
	sent        bool // already in a batch, but may still change
}

// debouncer collects changed paths until they stop changing. It has no timer, so callers pass the current time.
type debouncer struct {
	limits
	paths map[string]*changeWindow

	first, last time.Time
	closed      time.Time

	rescan, ignore bool
	resync         bool // the watches must be checked first
	cause          Cause
}

func newDebouncer(l limits) *debouncer {
	return &debouncer{limits: l, paths: map[string]*changeWindow{}}
}

func (p *debouncer) touch(rel string, now time.Time) {
	w := p.paths[rel]
	switch {
	case w == nil && p.rescan:
		p.extend(now)
		return
	case w == nil && len(p.paths) >= p.maxPending:
		p.forceRescan(CauseOverflow, now)
		return
	case w == nil:
		w = &changeWindow{first: now}
		p.paths[rel] = w
	case w.sent:
		w.first, w.sent = now, false
	}
	w.last = now
	if !w.noisy && now.Sub(w.first) <= p.noisyAfter {
		p.extend(now)
	}
}

func (p *debouncer) forceRescan(c Cause, now time.Time) {
	p.rescan = true
	p.cause = max(p.cause, c)
	maps.DeleteFunc(p.paths, func(_ string, w *changeWindow) bool { return !w.noisy })
	p.extend(now)
}

// forceResync requests a rescan and a check of all watches.
func (p *debouncer) forceResync(c Cause, now time.Time) {
	p.resync = true
	p.forceRescan(c, now)
}

func (p *debouncer) ignoreFileChanged(now time.Time) {
	p.ignore, p.resync = true, true
	p.cause = max(p.cause, CausePolicy)
	p.extend(now)
}

func (p *debouncer) extend(now time.Time) {
	if p.first.IsZero() {
		p.first = now
	}
	p.last = now
}

// formingDue returns when the next batch must be sent.
func (p *debouncer) formingDue() time.Time {
	return earlier(p.last.Add(p.quiet), p.first.Add(p.maxDelay))
}

func (p *debouncer) due() (time.Time, bool) {
	var at time.Time
	if !p.first.IsZero() {
		at = p.formingDue()
	}
	for _, w := range p.paths {
		if !w.noisy {
			continue
		}
		t := w.last.Add(p.quiet)
		if !w.sent {
			t = earlier(t, w.first.Add(p.maxDelay))
		}
		if soonest := p.closed.Add(p.quiet); t.Before(soonest) {
			t = soonest
		}
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	return at, !at.IsZero()
}

// take returns a batch of the paths that have stopped changing or were delayed for maxDelay.
func (p *debouncer) take(now time.Time) Batch {
	b := Batch{Cause: CauseChange}
	closing := !p.first.IsZero() && !now.Before(p.formingDue())
	set := map[string]struct{}{}
	for rel, w := range p.paths {
		if !w.noisy && !closing {
			continue
		}
		quiet := now.Sub(w.last) >= p.quiet
		if !w.sent && (quiet || now.Sub(w.first) >= p.maxDelay) {
			set[rel] = struct{}{}
			w.sent = true
		}
		w.noisy = true
		if quiet {
			delete(p.paths, rel)
		}
	}
	if closing {
		b.Rescan, b.Ignore, b.Cause = p.rescan, p.ignore, max(CauseChange, p.cause)
		p.first, p.last = time.Time{}, time.Time{}
		p.rescan, p.ignore, p.resync, p.cause = false, false, false, 0
	}
	p.closed = now
	if !b.Rescan {
		b.Paths, b.Rescan = collapse(set, p.maxPerDir, p.maxPaths)
	}
	if b.Empty() {
		return Batch{}
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
