package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Errors that callers act on.
var (
	// ErrUnavailable: the worker cannot be started, or has died too often to be tried again at once.
	ErrUnavailable = errors.New("native code cannot run now")
	// ErrClosed: the Process was closed before or during the call.
	ErrClosed = errors.New("process for native code closed")

	// errMute: a worker did not say its version.
	errMute = errors.New("no answer")
)

const (
	// enoughFailures in a row, without any call that went well between them, keep the worker from being started at once: a
	// content that a parser cannot take costs two, and three such beside each other are no broken installation.
	enoughFailures = 6
	firstWait      = time.Second
	lastWait       = time.Minute // after 12
	// silence is how long a call waits for the next word of its worker, which is then killed: the longest of all, a
	// batch of rows on a disk that is busy, takes seconds, and who waits without end can't be closed or deleted.
	silence = 5 * time.Minute
	// endsWithin is how long a worker whose input has ended may finish what it is at.
	endsWithin = 10 * time.Second
	// recent is how many deaths are remembered.
	recent = 20
	// helloWithin is how long a worker may take to say its version: loading its libraries from a cold disk takes seconds.
	helloWithin = 30 * time.Second
	// everybody is all of Process.turn.
	everybody = 1 << 30
)

// Options configure a Process.
type Options struct {
	Name       string                 // of what it does, for the log
	Program    func() (string, error) // its absolute path, asked at each start
	Args       []string
	Env        []string      // added to this process's
	Version    string        // that the worker must have
	Idle       time.Duration // without calls, after which the worker ends; 0: never
	Background bool          // at the priority of work that nobody waits for
	Silence    time.Duration // see silence, which 0 means
	Memory     int64         // bytes it may have of its own, see Limits; 0: as many as there are
	Log        *slog.Logger
	// Problem is called when calls begin to fail for the worker's sake, and with nil when they go well again. May be nil.
	Problem func(error)
}

// Process is a worker that is there when it is called. Safe for concurrent use.
type Process struct {
	o    Options
	turn *semaphore.Weighted // 1 of a call, everybody of Alone

	mu       sync.Mutex
	w        *worker // nil while none runs
	closed   bool
	failures int       // in a row
	until    time.Time // when the next start may be tried
	cause    error     // of the last failure
	told     bool      // Problem was told of it
	idle     *time.Timer
	calls    int // in flight
	deaths   []time.Time
	starts   int

	workers sync.WaitGroup // of goroutines, see worker.start
}

// New returns a Process. Nothing is started before the first call.
func New(o Options) *Process {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Silence == 0 {
		o.Silence = silence
	}
	p := &Process{o: o, turn: semaphore.NewWeighted(everybody)}
	p.idle = time.AfterFunc(time.Hour, p.rest)
	p.idle.Stop()
	return p
}

// Running reports whether a worker is there.
func (p *Process) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.w != nil
}

// PID is the worker's process id, 0 while none runs.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return 0
	}
	return p.w.pid
}

// Starts is how many workers were started.
func (p *Process) Starts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

type patient struct{}

// Patient returns a context for calls that may say nothing for longer than Options.Silence, because they wait for
// somebody else, such as a storage on the network, and end by themselves.
func Patient(ctx context.Context) context.Context { return context.WithValue(ctx, patient{}, true) }

// Call calls an operation and returns its answer; item, which may be nil, is given the parts that come before it,
// one at a time. The error is *Died, *Failure, ErrUnavailable, ErrClosed or ctx's cause.
func (p *Process) Call(ctx context.Context, op byte, args Body, item func(Body)) (Body, error) {
	return p.call(ctx, 1, op, args, item)
}

// Alone is Call while no other call is in flight.
func (p *Process) Alone(ctx context.Context, op byte, args Body, item func(Body)) (Body, error) {
	return p.call(ctx, everybody, op, args, item)
}

// Start starts a worker if none runs, and says why it can't.
func (p *Process) Start(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if _, err := p.enter(); err != nil {
		return err
	}
	p.leave()
	return nil
}

// Retry is Call, and Alone if the worker died: for what has no effect, or the same when it is done twice. A death of
// which this call alone is the reason is *Died with Alone set.
func (p *Process) Retry(ctx context.Context, op byte, args Body, item func(Body)) (Body, error) {
	out, err := p.Call(ctx, op, args, item)
	var died *Died
	if errors.As(err, &died) {
		return p.Alone(ctx, op, args, item)
	}
	return out, err
}

// Wait waits until a worker may be tried again after too many failures.
func (p *Process) Wait(ctx context.Context) error {
	p.mu.Lock()
	left := time.Until(p.until)
	p.mu.Unlock()
	if left <= 0 {
		return context.Cause(ctx)
	}
	select {
	case <-time.After(left):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *Process) call(ctx context.Context, weight int64, op byte, args Body, item func(Body)) (Body, error) {
	if err := p.turn.Acquire(ctx, weight); err != nil {
		return nil, context.Cause(ctx)
	}
	defer p.turn.Release(weight)
	w, err := p.enter()
	if err != nil {
		return nil, err
	}
	defer p.leave()
	out, err := w.call(ctx, op, args, item)
	var died *Died
	if errors.As(err, &died) {
		alone := *died
		alone.Alone = weight == everybody
		err = &alone
	} else if ctx.Err() == nil {
		p.well()
	}
	return out, err
}

// enter returns the worker, starting it if need be, and keeps it from ending at rest until leave.
func (p *Process) enter() (*worker, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	if p.w == nil {
		if left := time.Until(p.until); left > 0 {
			return nil, fmt.Errorf("%w: %w; tried again in %s", ErrUnavailable, p.cause, left.Round(time.Second))
		}
		w, err := p.start()
		if err != nil {
			p.failed(err)
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		p.w = w
		p.starts++
	}
	p.calls++
	p.idle.Stop()
	return p.w, nil
}

func (p *Process) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls--; p.calls == 0 && p.o.Idle > 0 && p.w != nil {
		p.idle.Reset(p.o.Idle)
	}
}

// rest ends a worker that had nothing to do for a while.
func (p *Process) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == 0 && p.w != nil {
		p.o.Log.Debug("worker ends at rest", "worker", p.o.Name, "pid", p.w.pid)
		p.w.end()
		p.w = nil
	}
}

// gone is told by a worker that it has ended.
func (p *Process) gone(w *worker, d *Died) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != w {
		return // it was told to
	}
	p.w = nil
	p.deaths = append(p.deaths[max(0, len(p.deaths)-recent+1):], time.Now())
	p.failed(d)
}

// Deaths is how many workers ended by themselves since a time, as far as is remembered, and the last cause.
func (p *Process) Deaths(since time.Time) (n int, last error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range p.deaths {
		if at.After(since) {
			n++
		}
	}
	return n, p.cause
}

// Forgive takes the last death back: what the worker was given is to blame, and who gave it knows.
func (p *Process) Forgive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deaths = p.deaths[:max(0, len(p.deaths)-1)]
	p.failures = max(0, p.failures-1)
	p.until = time.Time{}
}

// failed counts a failure. p.mu is held.
func (p *Process) failed(err error) {
	p.failures++
	p.cause = err
	if errors.Is(err, errMute) { // each try takes as long again
		p.failures = max(p.failures, enoughFailures+6)
	}
	if p.failures < enoughFailures {
		return
	}
	wait := min(firstWait<<min(p.failures-enoughFailures, 10), lastWait)
	p.until = time.Now().Add(wait)
	p.o.Log.Error("worker not started again for a while",
		"worker", p.o.Name, "err", err, "failures", p.failures, "wait", wait)
	if !p.told && p.o.Problem != nil {
		go p.o.Problem(err) // it may ask this Process something
	}
	p.told = true
}

// well ends a row of failures.
func (p *Process) well() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = 0
	if p.told && p.o.Problem != nil {
		go p.o.Problem(nil)
	}
	p.told = false
}

// Close ends the worker, which fails calls in flight, and waits for its end. Calling it again is fine.
func (p *Process) Close() error {
	p.mu.Lock()
	p.closed = true
	p.idle.Stop()
	w := p.w
	p.w = nil
	p.mu.Unlock()
	if w != nil {
		w.end()
	}
	p.workers.Wait()
	return nil
}

// answer is what a call waits for.
type answer struct {
	kind byte // frameItem, frameDone or frameFailed
	body []byte
}

// worker is one process.
type worker struct {
	pid   int
	write sync.Mutex // held over a write
	in    io.WriteCloser
	done  chan struct{} // closed when the process has ended
	died  *Died         // set before done is closed

	ending  sync.Once
	kill    func()        // ends it whatever it is at
	silence time.Duration // see Options.Silence
	silent  atomic.Bool   // it was killed for it
	stopped atomic.Bool   // and was not running when it was

	mu    sync.Mutex
	next  uint32
	calls map[uint32]*pending
}

// pending is a call in flight. Frames queue without bound, so that one slow caller never holds up the others' answers.
type pending struct {
	ready chan struct{} // holds one token when queue is not empty
	queue []answer
}

func (w *worker) call(ctx context.Context, op byte, args Body, item func(Body)) (Body, error) {
	c := &pending{ready: make(chan struct{}, 1)}
	w.mu.Lock()
	w.next++
	id := w.next
	w.calls[id] = c
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.calls, id)
		w.mu.Unlock()
	}()
	if err := w.send(append(frame(id, frameCall, 1), op), args); err != nil {
		<-w.done // it reads no more: it has ended, or is about to
		return nil, w.died
	}
	silence := w.silence
	if ctx.Value(patient{}) != nil {
		silence = math.MaxInt64
	}
	for {
		select {
		case <-c.ready:
		case <-time.After(silence): // of its own, however long item took with what it said before
			w.mute()
		case <-w.done:
			if !w.queued(c) {
				return nil, w.died
			}
		case <-ctx.Done():
			go w.send(frame(id, frameCancel, 0), nil) // a worker that is gone does nothing more either
			return nil, context.Cause(ctx)
		}
		for _, a := range w.take(c) {
			switch a.kind {
			case frameItem:
				if item != nil {
					item(a.body)
				}
			case frameFailed:
				f := &Failure{}
				return nil, errors.Join(Decode(a.body, f), f)
			default:
				return a.body, nil
			}
		}
	}
}

// queued reports whether answers came before the end.
func (w *worker) queued(c *pending) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(c.queue) > 0
}

func (w *worker) take(c *pending) []answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := c.queue
	c.queue = nil
	return q
}

// send writes a frame. It waits while the pipe is full, and a worker that reads nothing for long is silent, too.
func (w *worker) send(b []byte, rest Body) error {
	late := time.AfterFunc(w.silence, w.mute)
	defer late.Stop()
	w.write.Lock()
	defer w.write.Unlock()
	return write(w.in, b, rest)
}

// read hands answers to who waits for them, until the worker's output ends.
func (w *worker) read(out io.Reader) error {
	for {
		id, kind, body, err := readFrame(out)
		if err != nil {
			return err
		}
		w.mu.Lock()
		if c := w.calls[id]; c != nil {
			c.queue = append(c.queue, answer{kind, body})
			select {
			case c.ready <- struct{}{}:
			default:
			}
		}
		w.mu.Unlock()
	}
}

// mute ends a worker that is silent. One that was stopped is not to blame for it.
func (w *worker) mute() {
	w.stopped.Store(stopped(w.pid))
	w.silent.Store(true)
	w.kill()
}

// end closes the worker's input, with which it ends.
func (w *worker) end() {
	w.ending.Do(func() {
		late := time.AfterFunc(endsWithin, w.kill) // before: Windows closes no pipe that somebody is writing to
		_ = w.in.Close()                           // what is closed already has ended
		go func() { <-w.done; late.Stop() }()
	})
}
