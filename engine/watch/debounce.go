package watch

import "time"

// limits are the figures of batching; tests shrink them.
type limits struct {
	quiet   time.Duration // RFC 5.5: stabilityThreshold
	longest time.Duration // a path waits no longer for stability
	settle  time.Duration // a path that goes on changing for longer no longer delays the others
	perDir  int           // more dirty children than this make the folder dirty
	total   int           // more dirty paths than this make a rescan
	most    int           // more are not even remembered
}

// defaultLimits: 500 ms is the RFC's. 10 s bounds how stale a file that never rests can get. 128 and the order of 1,000 are
// where comparing a folder or the whole project by size and time becomes cheaper than path by path; 50,000 names take
// about 10 MB.
var defaultLimits = limits{
	quiet: 500 * time.Millisecond, longest: 10 * time.Second, settle: 2 * time.Second,
	perDir: 128, total: 1024, most: 50000,
}

// stir is when a path was first and last seen changing since it was last handed on.
type stir struct {
	first, last time.Time
	handed      bool // nothing happened since the path was handed on; it stays only to be known as busy
}

// pending collects what changed until it rests. Pure: it takes the time, starts no timer.
type pending struct {
	limits
	fresh map[string]stir // of the batch that is forming
	busy  map[string]stir // went on changing when their batch was closed

	first, last time.Time // of the forming batch; last moves with changes that may delay it
	closed      time.Time // when the latest batch was closed

	rescan, ignore bool
	rewalk         bool // the tree of watches must be compared with the disk before the batch is closed
	cause          Cause
}

func newPending(l limits) *pending {
	return &pending{limits: l, fresh: map[string]stir{}, busy: map[string]stir{}}
}

// touch records a change of a path.
func (p *pending) touch(rel string, now time.Time) {
	if s, ok := p.busy[rel]; ok {
		if s.handed {
			s.first, s.handed = now, false
		}
		s.last = now
		p.busy[rel] = s
		return
	}
	s, known := p.fresh[rel]
	switch {
	case known:
		s.last = now
	case p.rescan:
		p.extend(now) // a rescan covers it
		return
	case len(p.fresh) >= p.most:
		p.demand(CauseOverflow, now)
		return
	default:
		s = stir{first: now, last: now}
	}
	p.fresh[rel] = s
	if now.Sub(s.first) <= p.settle {
		p.extend(now)
	}
}

// demand makes the forming batch a rescan.
func (p *pending) demand(c Cause, now time.Time) {
	p.rescan = true
	p.cause = weightier(p.cause, c)
	clear(p.fresh)
	p.extend(now)
}

// doubt makes the forming batch a rescan that must be preceded by a comparison of the watches.
func (p *pending) doubt(c Cause, now time.Time) {
	p.rewalk = true
	p.demand(c, now)
}

// ignoring records a change of an ignore file.
func (p *pending) ignoring(now time.Time) {
	p.ignore, p.rewalk = true, true
	p.cause = weightier(p.cause, CausePolicy)
	p.extend(now)
}

func (p *pending) extend(now time.Time) {
	if p.first.IsZero() {
		p.first = now
	}
	p.last = now
}

// due is when the next batch is to be closed.
func (p *pending) due() (time.Time, bool) {
	var at time.Time
	if !p.first.IsZero() {
		at = earlier(p.last.Add(p.quiet), p.first.Add(p.longest))
	}
	for _, s := range p.busy {
		t := s.last.Add(p.quiet)
		if !s.handed {
			t = earlier(t, s.first.Add(p.longest))
		}
		// Files that never rest make no more than one batch in a quiet period.
		if soonest := p.closed.Add(p.quiet); t.Before(soonest) {
			t = soonest
		}
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	return at, !at.IsZero()
}

// take closes the batch: what rests or has waited long enough. Paths that still change stay.
func (p *pending) take(now time.Time) Batch {
	b := Batch{Cause: CauseChange}
	set := map[string]struct{}{}
	p.takeBusy(now, set)
	if !p.first.IsZero() && !now.Before(earlier(p.last.Add(p.quiet), p.first.Add(p.longest))) {
		p.takeFresh(now, set)
		b.Rescan, b.Ignore, b.Cause = p.rescan, p.ignore, weightier(CauseChange, p.cause)
		p.first, p.last = time.Time{}, time.Time{}
		p.rescan, p.ignore, p.rewalk, p.cause = false, false, false, ""
	}
	p.closed = now
	if !b.Rescan {
		b.Paths, b.Rescan = collapse(set, p.perDir, p.total)
	}
	if b.Empty() {
		return Batch{}
	}
	return b
}

func (p *pending) takeBusy(now time.Time, set map[string]struct{}) {
	for rel, s := range p.busy {
		switch {
		case now.Sub(s.last) >= p.quiet:
			if !s.handed {
				set[rel] = struct{}{}
			}
			delete(p.busy, rel)
		case !s.handed && now.Sub(s.first) >= p.longest:
			set[rel] = struct{}{}
			s.handed = true
			p.busy[rel] = s
		}
	}
}

func (p *pending) takeFresh(now time.Time, set map[string]struct{}) {
	for rel, s := range p.fresh {
		rests := now.Sub(s.last) >= p.quiet
		s.handed = rests || now.Sub(s.first) >= p.longest
		if s.handed {
			set[rel] = struct{}{}
		}
		if !rests {
			p.busy[rel] = s
		}
	}
	clear(p.fresh)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
