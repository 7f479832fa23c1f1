package watch

import "time"

// limits configures debouncing. Tests use lower values.
type limits struct {
	quiet      time.Duration // RFC 5.5's stabilityThreshold
	maxDelay   time.Duration // maximum delay of a path
	noisyAfter time.Duration // a path that keeps changing after this time no longer delays other paths
	maxPerDir  int           // number of changed paths above which their folder counts as dirty
	maxPaths   int           // number of paths above which a rescan is requested instead
	maxPending int           // number of waiting paths above which a rescan is requested at once
}

// 500 ms is the RFC's value. 10 s limits the delay of a file that never stops changing. Above about 128 or 1,000 paths,
// comparing the folder or the whole project by size and time is cheaper than comparing each path. 50,000 names take
// about 10 MB.
var defaultLimits = limits{
	quiet: 500 * time.Millisecond, maxDelay: 10 * time.Second, noisyAfter: 2 * time.Second,
	maxPerDir: 128, maxPaths: 1024, maxPending: 50000,
}

type changeWindow struct {
	first, last time.Time
	flushed     bool // sent; kept to detect noisy paths
}

// debouncer collects changed paths until they stop changing. It starts no timer, so callers pass the current time.
type debouncer struct {
	limits
	forming map[string]changeWindow // paths of the forming batch
	noisy   map[string]changeWindow // paths still changing when their batch was closed

	first, last time.Time // times of changes in the forming batch; last ignores noisy paths
	closed      time.Time

	rescan, ignore bool
	resync         bool // the watches must be compared with the disk first
	cause          Cause
}

func newDebouncer(l limits) *debouncer {
	return &debouncer{limits: l, forming: map[string]changeWindow{}, noisy: map[string]changeWindow{}}
}

func (p *debouncer) touch(rel string, now time.Time) {
	if s, ok := p.noisy[rel]; ok {
		if s.flushed {
			s.first, s.flushed = now, false
		}
		s.last = now
		p.noisy[rel] = s
		return
	}
	s, known := p.forming[rel]
	switch {
	case known:
		s.last = now
	case p.rescan:
		p.extend(now) // the rescan includes it
		return
	case len(p.forming) >= p.maxPending:
		p.forceRescan(CauseOverflow, now)
		return
	default:
		s = changeWindow{first: now, last: now}
	}
	p.forming[rel] = s
	if now.Sub(s.first) <= p.noisyAfter {
		p.extend(now)
	}
}

func (p *debouncer) forceRescan(c Cause, now time.Time) {
	p.rescan = true
	p.cause = higherPriority(p.cause, c)
	clear(p.forming)
	p.extend(now)
}

// forceResync turns the forming batch into a rescan, before which the watches are compared with the disk.
func (p *debouncer) forceResync(c Cause, now time.Time) {
	p.resync = true
	p.forceRescan(c, now)
}

func (p *debouncer) ignoreFileChanged(now time.Time) {
	p.ignore, p.resync = true, true
	p.cause = higherPriority(p.cause, CausePolicy)
	p.extend(now)
}

func (p *debouncer) extend(now time.Time) {
	if p.first.IsZero() {
		p.first = now
	}
	p.last = now
}

func (p *debouncer) due() (time.Time, bool) {
	var at time.Time
	if !p.first.IsZero() {
		at = earlier(p.last.Add(p.quiet), p.first.Add(p.maxDelay))
	}
	for _, s := range p.noisy {
		t := s.last.Add(p.quiet)
		if !s.flushed {
			t = earlier(t, s.first.Add(p.maxDelay))
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

// take closes and returns the batch of the paths that are quiet or have waited long enough.
func (p *debouncer) take(now time.Time) Batch {
	b := Batch{Cause: CauseChange}
	set := map[string]struct{}{}
	p.takeNoisy(now, set)
	if !p.first.IsZero() && !now.Before(earlier(p.last.Add(p.quiet), p.first.Add(p.maxDelay))) {
		p.takeForming(now, set)
		b.Rescan, b.Ignore, b.Cause = p.rescan, p.ignore, higherPriority(CauseChange, p.cause)
		p.first, p.last = time.Time{}, time.Time{}
		p.rescan, p.ignore, p.resync, p.cause = false, false, false, ""
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

func (p *debouncer) takeNoisy(now time.Time, set map[string]struct{}) {
	for rel, s := range p.noisy {
		switch {
		case now.Sub(s.last) >= p.quiet:
			if !s.flushed {
				set[rel] = struct{}{}
			}
			delete(p.noisy, rel)
		case !s.flushed && now.Sub(s.first) >= p.maxDelay:
			set[rel] = struct{}{}
			s.flushed = true
			p.noisy[rel] = s
		}
	}
}

func (p *debouncer) takeForming(now time.Time, set map[string]struct{}) {
	for rel, s := range p.forming {
		rests := now.Sub(s.last) >= p.quiet
		s.flushed = rests || now.Sub(s.first) >= p.maxDelay
		if s.flushed {
			set[rel] = struct{}{}
		}
		if !rests {
			p.noisy[rel] = s
		}
	}
	clear(p.forming)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
