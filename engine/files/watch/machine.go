package watch

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"searchmcp/engine/api"
)

const (
	// maxDirty bounds the dirty set; above it the whole project counts as dirty. It is the RFC's soft limit on files.
	maxDirty = 50000
	// saveEvery bounds how often the set is written; the pass at start finds what a crash loses.
	saveEvery = time.Second
	// overdueDelay delays a full pass that is overdue at start: the person has just started the computer to use it.
	overdueDelay = 5 * time.Minute
	// minSleep is what counts as sleep; less is the clocks' granularity or an aborted suspend.
	minSleep = 10 * time.Second
	// sleepPoll is how often the clocks are compared where the system doesn't signal a resume.
	sleepPoll = 15 * time.Minute
)

// clock is what an Orchestrator knows of time beyond the time package.
type clock interface {
	// sleptFor is how long the machine has slept since some moment.
	sleptFor() time.Duration
	// resumed is signalled when the machine may have slept or its clock was set; nil if the system doesn't tell.
	resumed() <-chan struct{}
	close()
}

// machine decides when the actor hears of changes: RFC 5.6's passes over the whole project and 5.7's strategies and
// dirty files. Pure: it is given the time, starts no timer, and belongs to one goroutine.
//
//	realtime  releases every batch at once
//	lazy      when nothing has changed for a while, and before a search
//	git       when HEAD moves; without a repository as lazy
//
// What is not released yet is dirty. A changed ignore file is released at once whatever the strategy, for what it
// hides must not be found any longer; so are passes over the whole project, which git alone holds back: they would
// index what is not committed. Pause holds back everything but what is said of a root.
type machine struct {
	strategy    api.Strategy
	idle, every time.Duration
	look        chan struct{} // 1-buffered: something changed while git had no repository; nil: not git

	paths    map[string]struct{} // dirty
	flags    Batch               // of the dirty set, all fields but Paths
	urgent   []Batch             // about roots, in order
	released bool                // the dirty set is to be sent
	cause    Cause               // why
	waiters  []chan struct{}     // closed when the dirty set was taken
	paused   bool
	batches  int       // taken
	last     time.Time // when the latest was

	alone    bool // git: there is no repository
	note     string
	head     string    // where HEAD was when what is released was all that is dirty
	settling time.Time // batches are released at once until then: they belong to a move of HEAD
	held     bool      // a pass over the whole project waits for the next move
	heldFull bool      // it hashes everything

	idleAt, saveAt time.Time // when nothing has changed for long enough, and when to write the set; zero: not
	fullAt         time.Time // the next full pass
	slept          time.Duration
}

func newMachine(s api.Strategy, idle, every time.Duration) *machine {
	m := &machine{strategy: s, idle: idle, every: every, paths: map[string]struct{}{}}
	if s == api.Git {
		m.look = make(chan struct{}, 1)
	}
	return m
}

// start begins with what an earlier run held back. The first full pass has a jitter of a tenth of the period, so that
// projects don't start together; the pass at start is the watcher's first batch, for it must not begin before the
// watches are set.
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

// tick does what is due.
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

// untilFull goes by the wall clock, which runs during sleep: Round strips the monotonic reading.
func (m *machine) untilFull(now time.Time) time.Duration { return m.fullAt.Round(0).Sub(now.Round(0)) }

// next is how long nothing is due.
func (m *machine) next(now time.Time) time.Duration {
	wait := m.untilFull(now)
	for _, at := range []time.Time{m.idleAt, m.saveAt} {
		if !at.IsZero() {
			wait = min(wait, at.Sub(now))
		}
	}
	return max(wait, 0)
}

// batch records a batch, and releases the dirty set if the batch or the strategy asks for it.
func (m *machine) batch(b Batch, now time.Time) {
	following := m.strategy == api.Git && !m.alone
	switch {
	case b.RootGone || b.Back:
		m.urgent = append(m.urgent, b)
		return
	case b.Empty():
		return
	case following && !b.Ignore && b.Cause.waitsForHead():
		m.held, m.heldFull = true, m.heldFull || b.Full
		return
	}
	m.add(b, now)
	if m.strategy == api.Lazy || m.alone {
		m.idleAt = now.Add(m.idle)
		wake(m.look)
	}
	if m.strategy == api.Realtime || b.Ignore || b.Cause.bypassesStrategy() || following && now.Before(m.settling) {
		m.release(b.Cause)
	}
}

// add takes a batch that is neither RootGone nor Back into the dirty set.
func (m *machine) add(b Batch, now time.Time) {
	for _, p := range b.Paths { // counted though the whole project is compared: pending is what people are told
		if len(m.paths) <= maxDirty {
			m.paths[p] = struct{}{}
		}
	}
	b.Paths = nil
	b.Rescan = b.Rescan || len(m.paths) > maxDirty
	m.flags = m.flags.join(b)
	m.changed(now)
}

func (m *machine) changed(now time.Time) {
	if m.saveAt.IsZero() {
		m.saveAt = now.Add(saveEvery)
	}
}

// dirty returns the set as one batch.
func (m *machine) dirty() Batch {
	b := m.flags
	if !b.Rescan {
		b.Paths = slices.Sorted(maps.Keys(m.paths))
	}
	if b.Cause == "" && len(b.Paths) > 0 {
		b.Cause = CauseChange
	}
	return b
}

// persisted is the set as it is kept.
func (m *machine) persisted() []string {
	list := []string{}
	if m.flags.Rescan || m.flags.Ignore {
		list = append(list, ".")
	}
	if m.flags.Rescan {
		return list
	}
	return append(list, slices.Sorted(maps.Keys(m.paths))...)
}

// saveDue reports whether the set has to be written now.
func (m *machine) saveDue(now time.Time) bool {
	if m.saveAt.IsZero() || now.Before(m.saveAt) {
		return false
	}
	m.saveAt = time.Time{}
	return true
}

// release has the dirty set sent to the actor.
func (m *machine) release(c Cause) { m.released, m.cause = true, higherPriority(m.cause, c) }

// flush releases the set before a search, and closes taken when the search needn't wait any longer.
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
		m.wakeWaiters() // until Resume would be too long for a search
	}
}

func (m *machine) wakeWaiters() {
	for _, w := range m.waiters {
		close(w)
	}
	m.waiters = nil
}

// offer returns what the actor may take now.
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

// taken follows a send of the latest offer: nothing was added since.
func (m *machine) taken(now time.Time) {
	m.batches++
	m.last = now
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
	m.head, m.released, m.cause = "", false, ""
	m.wakeWaiters()
}

// moved follows a move of HEAD, after which whole says that any file may be another.
func (m *machine) moved(head string, whole bool, settling time.Duration) {
	now := time.Now()
	if full := m.heldFull; whole || m.held {
		m.held, m.heldFull = false, false
		m.add(Batch{Rescan: true, Full: full, Cause: CauseGit}, now)
	}
	m.head, m.settling = head, now.Add(settling)
	m.release(CauseGit)
}

// following says that there is a repository, with a note about it.
func (m *machine) following(note string) {
	m.alone, m.note, m.idleAt = false, note, time.Time{}
}

// left says that there is no repository to follow, and why: the strategy behaves as lazy.
func (m *machine) left(note string) {
	now := time.Now()
	m.alone, m.note, m.idleAt = true, note, now.Add(m.idle)
	if full := m.heldFull; m.held {
		m.held, m.heldFull = false, false
		m.add(Batch{Rescan: true, Full: full, Cause: CauseStart}, now)
		m.release(CauseStart)
	}
}

func (m *machine) stats() Stats {
	return Stats{Strategy: m.strategy, Paused: m.paused, Pending: len(m.paths), Whole: m.flags.Rescan,
		Batches: m.batches, Last: m.last, Note: m.note}
}
