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
	// Root is the project's first root: the git strategy follows its repository.
	Root     string
	Strategy api.Strategy
	// Idle is lazy's wait (lazyIdleThreshold). 0 means the RFC's 30 seconds.
	Idle time.Duration
	// Store keeps the dirty set across restarts; nil keeps it in memory only.
	Store DirtyStore
	// Paused begins as if Pause had been called.
	Paused bool
	// OnStats is called after every change of the figures, from Run's goroutine; it must not block.
	OnStats func(Stats)
	Log     *slog.Logger

	open  func() (source, error) // tests put a fake here
	times gitTimes
}

// Stats is what an Orchestrator is doing (RFC 5.7: getStats).
type Stats struct {
	Strategy api.Strategy
	// Active says that Run is running and not paused.
	Active, Paused bool
	// Pending counts dirty paths that were not handed on; Whole says that the whole project is dirty.
	Pending int
	Whole   bool
	// Batches counts what was handed on, Last is when that happened last.
	Batches int
	Last    time.Time
	// Note says in words what a person should know about the strategy, "" if nothing.
	Note string
}

// ErrStopped is what a flush gets after Run has returned.
var ErrStopped = errors.New("watching has stopped")

// Orchestrator routes the batches of a project's watchers and schedule through the strategy in force to the one who
// indexes. What a strategy holds back is recorded as dirty. Batches that examine the whole project for its own sake (start,
// daily, wake, restart) and those about the root are never held back, except by Pause; the root's not even by that. Its
// methods are safe for concurrent use; Run may be called once.
type Orchestrator struct {
	opt     OrchestratorOptions
	log     *slog.Logger
	dirty   *dirty
	wake    chan struct{} // 1-buffered: want, switching or paused changed
	flushes chan flushAsk // to Run
	stopped chan struct{} // closed when Run has returned

	mu        sync.Mutex // guards what follows
	strategy  Strategy
	next      func() Strategy // set by Switch, taken by Run
	want      Cause           // set by release
	suspected Cause           // set by suspect
	running   bool
	paused    bool
	batches   int
	last      time.Time
	told      Stats // what OnStats heard last
}

type flushAsk struct {
	cause Cause
	done  chan struct{} // closed when the set was handed on
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
		opt: o, log: o.Log, dirty: newDirty(), paused: o.Paused,
		wake: make(chan struct{}, 1), flushes: make(chan flushAsk), stopped: make(chan struct{}),
	}
	build, err := or.maker(o.Strategy, o.Idle)
	if err != nil {
		return nil, err
	}
	or.strategy = build()
	return or, nil
}

func (o *Orchestrator) maker(name api.Strategy, idle time.Duration) (func() Strategy, error) {
	switch name {
	case api.Realtime:
		return func() Strategy { return realtime{o} }, nil
	case api.Lazy:
		return func() Strategy { return newLazy(o, idle) }, nil
	case api.Git:
		return func() Strategy { return newGit(o, o.opt.Root, idle, o.log, o.opt.open, o.opt.times) }, nil
	}
	return nil, fmt.Errorf("indexing strategy %q: not one of realtime, lazy, git", name)
}

// Switch puts another strategy, or another idle time, in force. Dirty paths stay and are handed on as the new one sees fit.
func (o *Orchestrator) Switch(name api.Strategy, idle time.Duration) error {
	if idle <= 0 {
		idle = o.opt.Idle
	}
	build, err := o.maker(name, idle)
	if err != nil {
		return err
	}
	o.mu.Lock()
	o.next = build
	o.mu.Unlock()
	o.nudge()
	return nil
}

// Pause records everything as dirty and hands nothing on until Resume.
func (o *Orchestrator) Pause() { o.setPaused(true) }

// Resume undoes Pause. What the strategy would have handed on meanwhile is handed on now.
func (o *Orchestrator) Resume() { o.setPaused(false) }

func (o *Orchestrator) setPaused(p bool) {
	o.mu.Lock()
	o.paused = p
	o.mu.Unlock()
	o.nudge()
}

// Flush hands everything on and returns when it was taken. While paused it does nothing.
func (o *Orchestrator) Flush(ctx context.Context) error { return o.inForce().Flush(ctx) }

// BeforeSearch hands on what the strategy in force does not let a search miss, and returns when it was taken: everything
// with lazy and realtime, nothing with git.
func (o *Orchestrator) BeforeSearch(ctx context.Context) error { return o.inForce().BeforeSearch(ctx) }

// Stats returns the figures of now.
func (o *Orchestrator) Stats() Stats {
	pending, whole := o.dirty.pending()
	note := o.inForce().Note()
	o.mu.Lock()
	defer o.mu.Unlock()
	return Stats{
		Strategy: o.strategy.Name(), Active: o.running && !o.paused, Paused: o.paused,
		Pending: pending, Whole: whole, Batches: o.batches, Last: o.last, Note: note,
	}
}

func (o *Orchestrator) inForce() Strategy {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.strategy
}

func (o *Orchestrator) nudge() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// release implements handover.
func (o *Orchestrator) release(c Cause) {
	o.mu.Lock()
	if o.want == "" || weight[c] > weight[o.want] {
		o.want = c
	}
	o.mu.Unlock()
	o.nudge()
}

// suspect implements handover.
func (o *Orchestrator) suspect(c Cause) {
	o.mu.Lock()
	o.suspected = c
	o.mu.Unlock()
	o.nudge()
}

// flush implements handover.
func (o *Orchestrator) flush(ctx context.Context, c Cause) error {
	o.mu.Lock()
	running := o.running
	o.mu.Unlock()
	select {
	case <-o.stopped:
		return ErrStopped
	default:
		if !running {
			return nil // nobody has told of anything yet
		}
	}
	ask := flushAsk{cause: c, done: make(chan struct{})}
	select {
	case o.flushes <- ask:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-o.stopped:
		return ErrStopped
	}
	select {
	case <-ask.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-o.stopped:
		return ErrStopped
	}
}

// Run routes batches from in to out until ctx ends, then saves the dirty set and returns nil. Several watchers and a
// schedule may send to in; it is never kept waiting by a slow reader of out.
func (o *Orchestrator) Run(ctx context.Context, in <-chan Batch, out chan<- Batch) error {
	defer close(o.stopped)
	if o.opt.Store != nil {
		o.dirty.load(o.opt.Store, o.log)
		stop, done := make(chan struct{}), make(chan struct{})
		go func() { defer close(done); o.dirty.keep(o.opt.Store, o.log, stop) }()
		defer func() { close(stop); <-done }()
	}
	o.mu.Lock()
	o.running = true
	o.mu.Unlock()
	r := &routing{o: o, out: out}
	r.start(ctx)
	defer func() {
		r.stop()
		o.mu.Lock()
		o.running = false
		o.mu.Unlock()
	}()
	for {
		o.tell()
		send, b := r.offer()
		select {
		case send <- b:
			r.taken()
		case b := <-in:
			r.batch(b)
		case ask := <-o.flushes:
			r.ask(ask)
		case <-o.wake:
			r.woken(ctx)
		case <-ctx.Done():
			return nil
		}
	}
}

// tell reports changed figures.
func (o *Orchestrator) tell() {
	if o.opt.OnStats == nil {
		return
	}
	s := o.Stats()
	o.mu.Lock()
	changed := s != o.told
	o.told = s
	o.mu.Unlock()
	if changed {
		o.opt.OnStats(s)
	}
}

// routing is the state of Run; it belongs to its goroutine.
type routing struct {
	o        *Orchestrator
	out      chan<- Batch
	cancel   context.CancelFunc // of the strategy
	done     chan struct{}      // the strategy has ended
	urgent   []Batch            // about roots, in order
	released bool               // the dirty set is to be handed on
	cause    Cause              // why
	waiting  []chan struct{}    // flushes
}

func (r *routing) start(ctx context.Context) {
	ctx, r.cancel = context.WithCancel(ctx)
	r.done = make(chan struct{})
	s, done := r.o.inForce(), r.done
	go func() { defer close(done); s.Run(ctx) }()
}

func (r *routing) stop() {
	r.cancel()
	<-r.done
}

// offer is what the reader may take now.
func (r *routing) offer() (chan<- Batch, Batch) {
	if len(r.urgent) > 0 {
		return r.out, r.urgent[0]
	}
	if !r.released || r.o.isPaused() {
		return nil, Batch{}
	}
	b := r.o.dirty.peek()
	if b.Empty() {
		r.settle()
		return nil, Batch{}
	}
	if b.Cause == CauseChange {
		b.Cause = r.cause
	}
	return r.out, b
}

func (o *Orchestrator) isPaused() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.paused
}

func (r *routing) taken() {
	r.o.mu.Lock()
	r.o.batches++
	r.o.last = time.Now()
	r.o.mu.Unlock()
	if len(r.urgent) > 0 {
		r.urgent = r.urgent[1:]
		return
	}
	r.o.dirty.clear() // only this goroutine adds to it, and has not since it made the offer
	r.settle()
}

// settle ends a release: everything was handed on.
func (r *routing) settle() {
	r.released, r.cause = false, ""
	for _, w := range r.waiting {
		close(w)
	}
	r.waiting = nil
}

func (r *routing) batch(b Batch) {
	if b.RootGone || b.Back {
		r.urgent = append(r.urgent, b)
		return
	}
	if b.Empty() {
		return
	}
	r.o.dirty.add(b)
	if b.Cause.integrity() {
		r.o.release(b.Cause)
	}
	r.o.inForce().OnBatch(b)
}

func (r *routing) ask(a flushAsk) {
	if r.o.isPaused() {
		close(a.done)
		return
	}
	r.released = true
	if r.cause == "" {
		r.cause = a.cause
	}
	r.waiting = append(r.waiting, a.done)
}

// woken does what release, Switch, Pause and Resume left to do.
func (r *routing) woken(ctx context.Context) {
	r.o.mu.Lock()
	want, suspected, next, paused := r.o.want, r.o.suspected, r.o.next, r.o.paused
	r.o.want, r.o.suspected, r.o.next = "", "", nil
	r.o.mu.Unlock()
	if suspected != "" {
		r.o.dirty.add(Batch{Rescan: true, Cause: suspected})
	}
	if want != "" {
		r.released = true
		r.cause = weightier(r.cause, want)
	}
	if paused {
		for _, w := range r.waiting {
			close(w)
		}
		r.waiting = nil
	}
	if next != nil {
		r.stop()
		s := next()
		r.o.mu.Lock()
		r.o.strategy = s
		r.o.mu.Unlock()
		r.start(ctx)
	}
}
