package watch

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/engine/api"
)

type Store[T any] interface {
	Load() (T, error) // the zero value if nothing was saved
	Save(T) error
}

type OrchestratorOptions struct {
	// Root is the project's first root. The git strategy uses its repository.
	Root     string
	Strategy api.Strategy
	// Idle is the delay of the lazy strategy (lazyIdleThreshold). Zero means 30 seconds (RFC).
	Idle time.Duration
	// Every is the time between full passes. Zero means 24 hours (RFC).
	Every time.Duration
	// Last is the end of the last full pass, or zero.
	Last time.Time
	// Dirty, if not nil, saves the changed paths (RFC 5.7), or "." for the whole project.
	Dirty Store[[]string]
	// Head, if not nil, saves the position of HEAD. The Orchestrator saves the first position. The receiver of batches
	// must save later positions.
	Head   Store[string]
	Paused bool
	// OnStats is called from Run's goroutine. It must not block.
	OnStats func(Stats)
	Log     *slog.Logger

	open  func(*queue) source // replaced by tests
	times gitTimes
	// sleptFor returns the total time of sleep. Only its changes are used.
	sleptFor func() time.Duration
}

// Stats is the state of an Orchestrator (getStats in RFC 5.7).
type Stats struct {
	Pending int
	Whole   bool
	Note    string // note to the user
}

// ErrStopped is returned by BeforeSearch after Run has returned.
var ErrStopped = errors.New("watching has stopped")

// Orchestrator receives the batches of a project's watchers, and passes them to the project's actor at the time that
// the strategy determines. Its methods are safe for concurrent use. Run may be called once.
type Orchestrator struct {
	opt     OrchestratorOptions
	log     *slog.Logger
	machine *machine // used only by Run
	calls   chan func(*machine)
	stopped chan struct{} // closed when Run has returned
	saved   []string      // saved content of opt.Dirty
	stats   atomic.Pointer[Stats]
}

func NewOrchestrator(o OrchestratorOptions) *Orchestrator {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Idle <= 0 {
		o.Idle = time.Duration(api.DefaultConfig().LazyIdleThreshold) * time.Second
	}
	if o.Every <= 0 {
		o.Every = 24 * time.Hour
	}
	if o.open == nil {
		o.open = openNotify
	}
	if o.sleptFor == nil {
		o.sleptFor = sleptFor
	}
	if o.times == (gitTimes{}) {
		o.times = defaultGitTimes
	}
	m := newMachine(o.Strategy, o.Idle, o.Every)
	m.paused = o.Paused
	return &Orchestrator{
		opt: o, log: o.Log, machine: m, calls: make(chan func(*machine)), stopped: make(chan struct{}),
	}
}

// SetPaused starts or ends a pause, during which no changes are indexed.
func (o *Orchestrator) SetPaused(paused bool) {
	select {
	case o.calls <- func(m *machine) { m.setPaused(paused) }:
	case <-o.stopped:
	}
}

// BeforeSearch passes the collected changes to the project's actor, and waits until the actor has received them. During
// a pause or with the git strategy, BeforeSearch does nothing.
func (o *Orchestrator) BeforeSearch(ctx context.Context) error {
	taken, calls := make(chan struct{}), o.calls
	for {
		select {
		case calls <- func(m *machine) { m.flush(taken) }:
			calls = nil
		case <-taken:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-o.stopped:
			return ErrStopped
		}
	}
}

// Mark must be called before a comparison of the whole project, and indexed after indexing the differences. indexed
// removes the paths that changed before Mark.
func (o *Orchestrator) Mark() (indexed func()) {
	call := func(do func(*machine)) {
		done := make(chan struct{})
		select {
		case o.calls <- func(m *machine) { do(m); close(done) }:
			<-done
		case <-o.stopped:
		}
	}
	var mark int
	call(func(m *machine) { m.marks++; mark = m.marks })
	return func() { call(func(m *machine) { m.indexed(mark) }) }
}

func (o *Orchestrator) Stats() Stats {
	if s := o.stats.Load(); s != nil {
		return *s
	}
	return Stats{}
}

func (o *Orchestrator) report() {
	s := Stats{Pending: len(o.machine.paths), Whole: o.machine.flags.Rescan, Note: o.machine.note}
	if last := o.stats.Swap(&s); (last == nil || *last != s) && o.opt.OnStats != nil {
		o.opt.OnStats(s)
	}
}

// Run passes the batches of watchers to the project's actor until ctx ends, and then saves the remaining changes.
// Several watchers may use the same channel. A slow actor does not block the watchers.
func (o *Orchestrator) Run(ctx context.Context, watchers <-chan Batch, actor chan<- Batch) {
	defer close(o.stopped)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	m := o.machine
	m.start(time.Now(), o.opt.Last, o.opt.sleptFor())
	o.load()
	if o.opt.Strategy == api.Git {
		wg.Go(func() { o.followRepositories(ctx) })
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := time.Now()
		m.tick(now, o.opt.sleptFor())
		b, ready := m.offer()
		o.report()
		if !m.saveAt.IsZero() && !now.Before(m.saveAt) {
			m.saveAt = time.Time{}
			o.save()
		}
		send := actor
		if !ready {
			send = nil
		}
		timer.Reset(m.next(now))
		select {
		case send <- b:
			m.taken(time.Now())
		case b := <-watchers:
			m.batch(b, time.Now())
		case call := <-o.calls:
			call(m)
		case <-timer.C:
		case <-ctx.Done():
			o.save()
			return
		}
	}
}

func (o *Orchestrator) call(ctx context.Context, do func(*machine)) {
	select {
	case o.calls <- do:
	case <-ctx.Done():
	}
}

func (o *Orchestrator) load() {
	if o.opt.Dirty == nil {
		return
	}
	paths, err := o.opt.Dirty.Load()
	if err != nil {
		o.log.Warn("dirty files can't be read; the whole project will be compared", "err", err)
		paths = []string{"."}
	} else {
		o.saved = slices.Clone(paths) // so that save writes an empty set too
	}
	b := Batch{Paths: paths, Cause: CauseChange}
	if slices.Contains(paths, ".") {
		b = Batch{Rescan: true, Cause: CauseChange}
	}
	if !b.Empty() {
		o.machine.add(b, time.Now())
	}
}

func (o *Orchestrator) save() {
	now := o.machine.persisted()
	if o.opt.Dirty == nil || slices.Equal(now, o.saved) {
		return
	}
	if err := o.opt.Dirty.Save(now); err != nil {
		o.log.Warn("dirty files can't be saved; after a crash the pass at start finds them", "err", err)
		return
	}
	o.saved = now
}

func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
