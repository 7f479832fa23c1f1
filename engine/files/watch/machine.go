package watch

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"searchmcp/engine/api"
)

const (
	// maxDirty is the RFC's soft limit on files. With more dirty paths, the whole project is compared.
	maxDirty = 50000
	// saveEvery is the minimum interval between writes of the dirty set.
	saveEvery = time.Second
	// overdueDelay delays an overdue full pass, because the user may have just started the computer.
	overdueDelay = 5 * time.Minute
	minSleep     = 10 * time.Second
	sleepPoll    = 15 * time.Minute // maximum time between two calls of sleptFor
)

// machine decides when to release changes, which means passing them to the actor (RFC 5.6 and 5.7). It starts no timer,
// so callers pass the current time. Only one goroutine may use it.
//
//	realtime  releases every batch at once
//	lazy      releases batches when nothing has changed for a while, and before a search
//	git       releases batches when HEAD moves; without a repository, it works like lazy
//
// Unreleased changes are dirty. A change of an ignore file is released at once under every strategy, because files that
// it excludes must disappear from search results. A pause delays all changes. It doesn't delay the report that a root
// is missing or has returned.
type machine struct {
	strategy    api.Strategy
	idle, every time.Duration
	// look is signaled when files change and the git strategy has no repository. Other strategies don't set it.
	look chan struct{}

	paths    map[string]int  // dirty paths, with the value of marks when they were added
	marks    int             // number of calls of Orchestrator.Mark
	flags    Batch           // the dirty set without its paths
	urgent   []Batch         // missing and returned roots, in order
	released bool            // the dirty set is ready to be passed to the actor
	cause    Cause           // cause of the release
	waiters  []chan struct{} // closed when the dirty set is taken
	paused   bool

	alone       bool // the git strategy has no repository
	note        string
	head        string    // position of HEAD that belongs to the released set
	settling    time.Time // until then batches are released at once
	delayed     bool      // a comparison of the project waits for the next move of HEAD
	delayedFull bool      // the delayed comparison is a full pass

	idleAt time.Time // when the lazy strategy releases the dirty set, or zero
	saveAt time.Time // when the dirty set is written to disk, or zero
	fullAt time.Time // when the next full pass is due
	slept  time.Duration
}

func newMachine(s api.Strategy, idle, every time.Duration) *machine {
	m := &machine{strategy: s, idle: idle, every: every, paths: map[string]int{}}
	if s == api.Git {
		m.look = make(chan struct{}, 1)
	}
	return m
}

// start releases the dirty set of an earlier run if the strategy allows it, and schedules the first full pass. The
// watcher requests the pass at start after it has set the watches.
func (m *machine) start(now, last time.Time, slept time.Duration) {
	switch m.strategy {
	case api.Realtime:
		m.release(CauseResume)
	case api.Lazy:
		m.idleAt = now.Add(m.idle)
	}
	m.fullAt = last.Add(m.every)
	if soonest := now.Add(overdueDelay); last.IsZero() || m.fullAt.Before(soonest) {
		m.fullAt = soonest
	}
	m.fullAt = m.fullAt.Add(rand.N(m.every/10 + 1))
	m.slept = slept
}

func (m *machine) tick(now time.Time, slept time.Duration) {
	if !m.idleAt.IsZero() && !now.Before(m.idleAt) {
		m.idleAt = time.Time{}
		m.release(CauseIdle)
	}
	var b Batch
	if m.untilFull(now) <= 0 {
		b = Batch{Rescan: true, Full: true, Cause: CauseDaily}
		m.fullAt = now.Add(m.every)
	}
	if slept-m.slept >= minSleep {
		b = b.join(Batch{Rescan: true, Cause: CauseWake})
		m.slept = slept
	}
	m.batch(b, now)
}

// untilFull uses the wall clock, which continues during sleep. Round strips the monotonic reading.
func (m *machine) untilFull(now time.Time) time.Duration { return m.fullAt.Round(0).Sub(now.Round(0)) }

func (m *machine) next(now time.Time) time.Duration {
	wait := min(m.untilFull(now), sleepPoll)
	for _, at := range []time.Time{m.idleAt, m.saveAt} {
		if !at.IsZero() {
			wait = min(wait, at.Sub(now))
		}
	}
	return max(wait, 0)
}

func (m *machine) batch(b Batch, now time.Time) {
	following := m.strategy == api.Git && !m.alone
	switch {
	case b.RootGone || b.Back:
		m.urgent = append(m.urgent, b)
		return
	case b.Empty():
		return
	case following && !b.Ignore && b.Cause >= CauseStart && b.Cause < CauseMount:
		m.delayed, m.delayedFull = true, m.delayedFull || b.Full
		return
	}
	m.add(b, now)
	if m.strategy == api.Lazy || m.alone {
		m.idleAt = now.Add(m.idle)
		wake(m.look)
	}
	if m.strategy == api.Realtime || b.Ignore || b.Cause >= CauseStart || following && now.Before(m.settling) {
		m.release(b.Cause)
	}
}

func (m *machine) add(b Batch, now time.Time) {
	for _, p := range b.Paths { // recorded even if a rescan is due, because Stats shows the number
		if len(m.paths) <= maxDirty {
			m.paths[p] = m.marks
		}
	}
	b.Paths = nil
	b.Rescan = b.Rescan || len(m.paths) > maxDirty
	m.flags = m.flags.join(b)
	m.changed(now)
}

// indexed drops the paths that were last added before the given mark.
func (m *machine) indexed(mark int) {
	maps.DeleteFunc(m.paths, func(_ string, added int) bool { return added < mark })
	m.changed(time.Now())
}

func (m *machine) changed(now time.Time) {
	if m.saveAt.IsZero() {
		m.saveAt = now.Add(saveEvery)
	}
}

func (m *machine) dirty() Batch {
	b := m.flags
	if !b.Rescan {
		b.Paths = slices.Sorted(maps.Keys(m.paths))
	}
	if b.Cause == 0 && len(b.Paths) > 0 {
		b.Cause = CauseChange
	}
	return b
}

func (m *machine) persisted() []string {
	if m.flags.Rescan {
		return []string{"."}
	}
	list := []string{}
	if m.flags.Ignore {
		list = append(list, ".")
	}
	return append(list, slices.Sorted(maps.Keys(m.paths))...)
}

func (m *machine) release(c Cause) { m.released, m.cause = true, max(m.cause, c) }

func (m *machine) flush(taken chan struct{}) {
	if m.paused || m.strategy == api.Git && !m.alone {
		close(taken)
		return
	}
	m.waiters = append(m.waiters, taken)
	m.release(CauseFlush)
}

func (m *machine) setPaused(p bool) {
	if m.paused = p; p {
		m.wakeWaiters() // searches don't wait for the end of a pause
	}
}

func (m *machine) wakeWaiters() {
	for _, w := range m.waiters {
		close(w)
	}
	m.waiters = nil
}

func (m *machine) offer() (b Batch, ready bool) {
	if len(m.urgent) > 0 {
		return m.urgent[0], true
	}
	if !m.released || m.paused {
		return Batch{}, false
	}
	b = m.dirty()
	if b.Head = m.head; b.Empty() && b.Head == "" {
		m.finish()
		return b, false
	}
	if b.Cause == CauseChange {
		b.Cause = m.cause
	}
	return b, true
}

func (m *machine) taken(now time.Time) {
	if len(m.urgent) > 0 {
		m.urgent = m.urgent[1:]
		return
	}
	clear(m.paths)
	m.flags = Batch{}
	m.changed(now)
	m.finish()
}

func (m *machine) finish() {
	m.head, m.released, m.cause = "", false, 0
	m.wakeWaiters()
}

// moved handles a move of HEAD to head. It releases a comparison of the whole project, because a checkout may change
// any file, and the watchers may not have reported all changes yet.
func (m *machine) moved(head string, settling time.Duration) {
	now := time.Now()
	m.add(Batch{Rescan: true, Full: m.delayedFull, Cause: CauseGit}, now)
	m.delayed, m.delayedFull = false, false
	m.head, m.settling = head, now.Add(settling)
	m.release(CauseGit)
}

func (m *machine) notFollowing(note string) {
	now := time.Now()
	m.alone, m.note, m.idleAt = true, note, now.Add(m.idle)
	if full := m.delayedFull; m.delayed {
		m.delayed, m.delayedFull = false, false
		m.add(Batch{Rescan: true, Full: full, Cause: CauseStart}, now)
		m.release(CauseStart)
	}
}
