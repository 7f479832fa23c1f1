package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"searchmcp/engine/api"
)

// OrchestratorOptions is what an Orchestrator works with.
type OrchestratorOptions struct {
	// Root is the project's first root, whose repository the git strategy follows.
	Root     string
	Strategy api.Strategy
	// Idle is lazy's wait (lazyIdleThreshold). 0 means the RFC's 30 seconds.
	Idle time.Duration
	// Store keeps the dirty set across restarts; nil keeps it in memory only.
	Store DirtyStore
	// Head keeps across restarts where the git strategy last saw HEAD; nil keeps it in memory only.
	Head HeadStore
	// Paused starts as if Pause had been called.
	Paused bool
	// OnStats is called after every change of the figures, from Run's goroutine; it must not block.
	OnStats func(Stats)
	Log     *slog.Logger

	open  func() (source, error) // tests put a fake here
	times gitTimes
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

// Orchestrator routes the batches of a project's watchers and schedule through a strategy to the actor. What the
// strategy holds back is recorded as dirty. Passes over the whole project (start, daily, wake, restart) are held back
// by the git strategy and by Pause alone, batches about the root by nothing. Its methods are safe for concurrent use;
// Run may be called once.
type Orchestrator struct {
	opt      OrchestratorOptions
	log      *slog.Logger
	strategy Strategy
	dirty    *dirty
	releases chan release  // to Run
	woken    chan struct{} // 1-buffered: paused has changed
	started  chan struct{} // closed when Run begins
	stopped  chan struct{} // closed when Run has returned

	mu      sync.Mutex // guards what follows
	running bool
	paused  bool
	batches int
	last    time.Time
}

// NewOrchestrator refuses a strategy that does not exist.
func NewOrchestrator(o OrchestratorOptions) (*Orchestrator, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Idle <= 0 {
		o.Idle = time.Duration(api.DefaultConfig().LazyIdleThreshold) * time.Second
	}
	if o.open == nil {
		o.open = openNotify
	}
	if o.times == (gitTimes{}) {
		o.times = defaultGitTimes
	}
	or := &Orchestrator{
		opt: o, log: o.Log, dirty: newDirty(), paused: o.Paused, releases: make(chan release),
		woken: make(chan struct{}, 1), started: make(chan struct{}), stopped: make(chan struct{}),
	}
	switch o.Strategy {
	case api.Realtime:
		or.strategy = realtime{}
	case api.Lazy:
		or.strategy = newLazy(o.Idle)
	case api.Git:
		g := newGit(o.Root, o.Idle, o.Log, o.open, o.times)
		g.store = o.Head
		or.strategy = g
	default:
		return nil, fmt.Errorf("indexing strategy %q: not one of realtime, lazy, git", o.Strategy)
	}
	return or, nil
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

func (o *Orchestrator) isPaused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.paused
}

// BeforeSearch releases what the strategy does not let a search miss, and returns when the actor has taken it:
// everything with lazy and realtime, nothing with git. While paused it does nothing.
func (o *Orchestrator) BeforeSearch(ctx context.Context) error {
	if !o.strategy.BeforeSearch() {
		return nil
	}
	select {
	case <-o.started:
	default:
		return nil // nothing can be dirty yet
	}
	r := release{cause: CauseFlush, taken: make(chan struct{})}
	releases, taken := o.releases, (chan struct{})(nil)
	for {
		select {
		case releases <- r:
			releases, taken = nil, r.taken
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
	pending, whole := o.dirty.pending()
	note := o.strategy.Note()
	o.mu.Lock()
	defer o.mu.Unlock()
	return Stats{
		Strategy: o.strategy.Name(), Active: o.running && !o.paused, Paused: o.paused,
		Pending: pending, Whole: whole, Batches: o.batches, Last: o.last, Note: note,
	}
}

func (o *Orchestrator) setRunning(r bool) {
	o.mu.Lock()
	o.running = r
	o.mu.Unlock()
}

// Run routes batches from in to out until ctx ends, then saves the dirty set and returns nil. Several watchers and a
// schedule may send to in; a slow reader of out never blocks them.
func (o *Orchestrator) Run(ctx context.Context, in <-chan Batch, out chan<- Batch) error {
	defer close(o.stopped)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	if o.opt.Store != nil {
		o.dirty.load(o.opt.Store, o.log)
		wg.Go(func() { o.dirty.saveLoop(o.opt.Store, o.log, ctx.Done()) })
	}
	wg.Go(func() { o.strategy.Run(ctx, o.releases) })
	o.setRunning(true)
	defer o.setRunning(false)
	close(o.started)
	d := &dispatcher{o: o, out: out}
	for {
		d.reportStats()
		send, b := d.offer()
		select {
		case send <- b:
			d.taken()
		case b := <-in:
			d.batch(b)
		case r := <-o.releases:
			d.release(r)
		case <-o.woken:
			if o.isPaused() {
				d.wakeWaiters() // until Resume would be too long for a search
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// dispatcher is the state of Run; it belongs to its goroutine.
type dispatcher struct {
	o         *Orchestrator
	out       chan<- Batch
	urgent    []Batch         // about roots, in order
	released  bool            // the dirty set is to be sent
	cause     Cause           // why
	waiters   []chan struct{} // closed when the dirty set was taken
	lastStats Stats           // the last argument of OnStats
	head      string          // where HEAD was when the released set was all that is dirty; "": nothing to keep
}

// reportStats calls OnStats if the figures have changed.
func (d *dispatcher) reportStats() {
	if d.o.opt.OnStats == nil {
		return
	}
	if s := d.o.Stats(); s != d.lastStats {
		d.lastStats = s
		d.o.opt.OnStats(s)
	}
}

// offer returns what the actor may take now.
func (d *dispatcher) offer() (chan<- Batch, Batch) {
	if len(d.urgent) > 0 {
		return d.out, d.urgent[0]
	}
	if !d.released || d.o.isPaused() {
		return nil, Batch{}
	}
	b := d.o.dirty.peek()
	if b.Empty() {
		if d.head != "" { // a commit of nothing that is indexed
			saveHead(d.o.opt.Head, d.head, d.o.log)
			d.head = ""
		}
		d.finishRelease()
		return nil, Batch{}
	}
	if b.Cause == CauseChange {
		b.Cause = d.cause
	}
	return d.out, b
}

// taken follows a send of the latest offer.
func (d *dispatcher) taken() {
	d.o.mu.Lock()
	d.o.batches++
	d.o.last = time.Now()
	d.o.mu.Unlock()
	if len(d.urgent) > 0 {
		d.urgent = d.urgent[1:]
		return
	}
	d.o.dirty.clear() // only this goroutine adds to it, and has not since the offer
	if d.head != "" {
		saveHead(d.o.opt.Head, d.head, d.o.log)
		d.head = ""
	}
	d.finishRelease()
}

func (d *dispatcher) finishRelease() {
	d.released, d.cause = false, ""
	d.wakeWaiters()
}

func (d *dispatcher) wakeWaiters() {
	for _, w := range d.waiters {
		close(w)
	}
	d.waiters = nil
}

// batch records a batch, and releases the dirty set if the batch or the strategy asks for it.
func (d *dispatcher) batch(b Batch) {
	if b.RootGone || b.Back {
		d.urgent = append(d.urgent, b)
		return
	}
	if b.Empty() || d.o.strategy.Holds(b) {
		return
	}
	d.o.dirty.add(b)
	if now := d.o.strategy.OnBatch(b); now || b.Cause.bypassesStrategy() {
		d.release(release{cause: b.Cause})
	}
}

func (d *dispatcher) release(r release) {
	if r.taken != nil {
		if d.o.isPaused() {
			close(r.taken)
			return
		}
		d.waiters = append(d.waiters, r.taken)
	}
	if r.all {
		d.o.dirty.add(Batch{Rescan: true, Full: r.full, Cause: r.cause})
	}
	if r.head != "" {
		d.head = r.head
	}
	d.released, d.cause = true, higherPriority(d.cause, r.cause)
}
