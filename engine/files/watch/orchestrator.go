package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/api"
)

// Store keeps a value across restarts.
type Store[T any] interface {
	Load() (T, error) // the zero value if nothing was kept
	Save(T) error
}

// OrchestratorOptions is what an Orchestrator works with.
type OrchestratorOptions struct {
	// Root is the project's first root, whose repository the git strategy follows.
	Root     string
	Strategy api.Strategy
	// Idle is lazy's wait (lazyIdleThreshold). 0 means the RFC's 30 seconds.
	Idle time.Duration
	// Every is the time between two full passes, 0 the RFC's 24 hours. Last is when the latest full pass or build ended;
	// zero: never.
	Every time.Duration
	Last  time.Time
	// Dirty keeps the dirty paths (RFC 5.7: dirty-files.json), "." for the whole project; nil keeps them in memory only.
	Dirty Store[[]string]
	// Head keeps where the git strategy last saw HEAD, in the strategy's own words, for the first time; nil keeps it in
	// memory only. Whoever takes batches keeps it from then on.
	Head Store[string]
	// Paused starts as if Pause had been called.
	Paused bool
	// OnStats is called after every change of the figures, from Run's goroutine; it must not block.
	OnStats func(Stats)
	Log     *slog.Logger

	open  func() (source, error) // tests put a fake here
	times gitTimes
	clock clock
}

// Stats are the figures of an Orchestrator (RFC 5.7: getStats).
type Stats struct {
	Strategy api.Strategy
	// Active says that Run is running and not paused.
	Active, Paused bool
	// Pending counts the dirty paths; Whole says that the whole project is dirty.
	Pending int
	Whole   bool
	// Batches counts what the actor has taken, Last is when it last took one.
	Batches int
	Last    time.Time
	// Note says in words what a person should know about the strategy, "" if nothing.
	Note string
}

// ErrStopped is returned by BeforeSearch after Run has returned.
var ErrStopped = errors.New("watching has stopped")

// Orchestrator routes the batches of a project's watchers, and the passes over the whole project that don't depend on
// them, to the actor when its strategy allows it. Its methods are safe for concurrent use; Run may be called once.
type Orchestrator struct {
	opt     OrchestratorOptions
	log     *slog.Logger
	machine *machine            // Run's
	calls   chan func(*machine) // to Run
	woken   chan struct{}       // 1-buffered: paused has changed
	started chan struct{}       // closed when Run begins
	stopped chan struct{}       // closed when Run has returned
	saved   []string            // what Dirty has

	mu     sync.Mutex // guards what follows
	paused bool
	stats  Stats
}

// NewOrchestrator refuses a strategy that does not exist.
func NewOrchestrator(o OrchestratorOptions) (*Orchestrator, error) {
	if !slices.Contains([]api.Strategy{api.Realtime, api.Lazy, api.Git}, o.Strategy) {
		return nil, fmt.Errorf("indexing strategy %q: not one of realtime, lazy, git", o.Strategy)
	}
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
	if o.times == (gitTimes{}) {
		o.times = defaultGitTimes
	}
	return &Orchestrator{
		opt: o, log: o.Log, machine: newMachine(o.Strategy, o.Idle, o.Every), paused: o.Paused,
		calls: make(chan func(*machine)), woken: make(chan struct{}, 1), started: make(chan struct{}),
		stopped: make(chan struct{}),
	}, nil
}

// Pause records everything as dirty and releases nothing until Resume.
func (o *Orchestrator) Pause() { o.setPaused(true) }

// Resume undoes Pause. What the strategy would have released meanwhile is released now.
func (o *Orchestrator) Resume() { o.setPaused(false) }

func (o *Orchestrator) setPaused(p bool) {
	o.mu.Lock()
	o.paused = p
	o.mu.Unlock()
	wake(o.woken)
}

// BeforeSearch releases what the strategy does not let a search miss, and returns when the actor has taken it:
// everything with lazy and realtime, nothing with git (RFC 5.7: only on commit). While paused it does nothing.
func (o *Orchestrator) BeforeSearch(ctx context.Context) error {
	select {
	case <-o.started:
	default:
		return nil // nothing can be dirty yet
	}
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

// Stats returns the current figures.
func (o *Orchestrator) Stats() Stats {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stats
}

// report makes new figures known.
func (o *Orchestrator) report(active bool) {
	s := o.machine.stats()
	s.Active = active && !s.Paused
	o.mu.Lock()
	changed := o.stats != s
	o.stats = s
	o.mu.Unlock()
	if changed && active && o.opt.OnStats != nil {
		o.opt.OnStats(s)
	}
}

// Run routes batches from in to out until ctx ends, then saves the dirty set and returns nil. Several watchers may send
// to in; a slow reader of out never blocks them.
func (o *Orchestrator) Run(ctx context.Context, in <-chan Batch, out chan<- Batch) error {
	defer close(o.stopped)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	slept := o.opt.clock
	if slept == nil {
		slept = openClock(o.log)
	}
	defer slept.close()
	m := o.machine
	m.start(time.Now(), o.opt.Last, slept.sleptFor())
	o.load()
	if o.opt.Strategy == api.Git {
		wg.Go(func() { o.followRepositories(ctx) })
	}
	close(o.started)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		o.mu.Lock()
		m.setPaused(o.paused)
		o.mu.Unlock()
		now := time.Now()
		m.tick(now, slept.sleptFor())
		b, ready := m.offer()
		o.report(true)
		if m.saveDue(now) {
			o.save()
		}
		send := out
		if !ready {
			send = nil
		}
		wait := m.next(now)
		if slept.resumed() == nil {
			wait = min(wait, sleepPoll)
		}
		timer.Reset(wait)
		select {
		case send <- b:
			m.taken(time.Now())
		case b := <-in:
			m.batch(b, time.Now())
		case call := <-o.calls:
			call(m)
		case <-o.woken:
		case <-slept.resumed():
		case <-timer.C:
		case <-ctx.Done():
			o.save()
			o.report(false)
			return nil
		}
	}
}

// call has Run do something with the machine, unless ctx ends first.
func (o *Orchestrator) call(ctx context.Context, do func(*machine)) {
	select {
	case o.calls <- do:
	case <-ctx.Done():
	}
}

// load adds the dirty set that was kept. If it can't be read, the whole project is dirty.
func (o *Orchestrator) load() {
	if o.opt.Dirty == nil {
		return
	}
	paths, err := o.opt.Dirty.Load()
	if err != nil {
		o.log.Warn("dirty files can't be read; the whole project will be compared", "err", err)
		paths = []string{"."}
	} else {
		o.saved = slices.Clone(paths) // or a set that is taken at once would stay in its file
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

// saveHead keeps where HEAD is.
func (o *Orchestrator) saveHead(head string) {
	if o.opt.Head == nil {
		return
	}
	if err := o.opt.Head.Save(head); err != nil {
		o.log.Warn("position of HEAD not kept; a commit before the next start may go unnoticed", "err", err)
	}
}

// wake signals a 1-buffered channel without blocking.
func wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
