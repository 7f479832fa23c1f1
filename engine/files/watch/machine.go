package watch

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"searchmcp/engine/api"
)

const (
	// maxDirty is the maximum number of changed paths in memory. With more, the whole project is compared.
	maxDirty = 50000
	// saveEvery is the minimum time between two writes of the changed paths to disk.
	saveEvery = time.Second
	// overdueDelay delays a late comparison, because the computer may have just started.
	overdueDelay = 5 * time.Minute
	minSleep     = 10 * time.Second
	sleepPoll    = 15 * time.Minute // maximum time between two checks for sleep
)

// machine decides when changes are indexed (RFC 5.6 and 5.7). It has no timer, so callers pass the current time.
// Only one goroutine may use it.
//
//	realtime  releases every batch immediately
//	lazy      releases batches when nothing has changed for a while, and before a search
//	git       releases batches when HEAD moves; without a repository, it works like lazy
//
// Every strategy releases the change of an ignore file immediately, because excluded files must disappear from search
// results. A pause delays all changes except reports of missing and returned roots.
type machine struct {
	strategy    api.Strategy
	idle, every time.Duration
	// look is signaled when files change in a project without a repository.
	look chan struct{}

	paths    map[string]int  // changed paths; each value is the number of marks at the last change
	marks    int             // number of calls of Orchestrator.Mark
	flags    Batch           // other fields of the next batch
	urgent   []Batch         // batches of missing and returned roots, in order
	released bool            // the changes may be indexed
	cause    Cause           // reason for indexing the changes
	waiters  []chan struct{} // closed when the indexer has received the changes
	paused   bool

	alone       bool // the project has no repository
	note        string
	head        string    // position of HEAD to send with the next batch
	settling    time.Time // until this time, batches are released immediately
	delayed     bool      // compare the project after the next move of HEAD
	delayedFull bool      // that comparison is a full pass

	idleAt time.Time // when the lazy strategy sends the changes, or zero
	saveAt time.Time // when the changes are saved, or zero
	fullAt time.Time // when all files are compared next
	slept  time.Duration
}

func newMachine(s api.Strategy, idle, every time.Duration) *machine {
	m := &machine{strategy: s, idle: idle, every: every, paths: map[string]int{}}
	if s == api.Git {
		m.look = make(chan struct{}, 1)
	}
	return m
}

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

// Round removes the monotonic clock, which stops during sleep.
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
	for _, p := range b.Paths {
		if len(m.paths) <= maxDirty {
			m.paths[p] = m.marks
		}
	}
	b.Paths = nil
	b.Rescan = b.Rescan || len(m.paths) > maxDirty
	m.flags = m.flags.join(b)
	m.changed(now)
}

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

// moved handles a move of HEAD. A checkout may change any file, so the whole project is compared.
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
