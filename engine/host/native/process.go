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

var (
	ErrUnavailable = errors.New("worker unavailable")
	ErrClosed      = errors.New("worker process closed")

	errMute = errors.New("no answer")
)

const (
	// enoughFailures is the number of consecutive failures after which the next start is delayed. A file that crashes
	// the parser causes two failures.
	enoughFailures = 6
	firstWait      = time.Second
	lastWait       = time.Minute // maximum delay, reached after 12 consecutive failures
	// defaultSilence is the default of Options.Silence. The longest operation takes several seconds.
	defaultSilence = 5 * time.Minute
	// endsWithin is the maximum time between closing a worker's input and its exit.
	endsWithin = 10 * time.Second
	recent     = 20
	// helloWithin is the maximum time until a worker sends its first frame. Loading libraries from a cold disk takes
	// several seconds.
	helloWithin = 30 * time.Second
	exclusive   = 1 << 30
)

type Options struct {
	Name       string
	Program    func() (string, error) // returns the absolute path of the worker program
	Args       []string
	Env        []string // additional environment variables
	Version    string
	Idle       time.Duration // idle time until the worker is stopped; 0 means that it keeps running
	Background bool          // run with low priority
	Silence    time.Duration // a worker that doesn't respond for this time is killed; 0 means defaultSilence
	Memory     int64
	Log        *slog.Logger
	// Problem, if not nil, is called with an error when the start of workers is delayed, and with nil after the next
	// successful call.
	Problem func(error)
}

// Process starts a worker process on demand and calls its operations. It is safe for concurrent use.
type Process struct {
	o    Options
	turn *semaphore.Weighted // Call acquires 1, Alone acquires all

	mu       sync.Mutex
	w        *worker // nil if no worker is running
	closed   bool
	failures int
	until    time.Time // earliest time of the next start
	cause    error
	reported bool
	idle     *time.Timer
	calls    int
	deaths   []time.Time
	starts   int

	workers sync.WaitGroup
}

func New(o Options) *Process {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Silence == 0 {
		o.Silence = defaultSilence
	}
	p := &Process{o: o, turn: semaphore.NewWeighted(exclusive)}
	p.idle = time.AfterFunc(time.Hour, p.rest)
	p.idle.Stop()
	return p
}

func (p *Process) Running() bool { return p.PID() != 0 }

// PID returns the process ID of the running worker, or 0.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return 0
	}
	return p.w.pid
}

func (p *Process) Starts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

type patient struct{}

// AllowSilence returns a context for calls that may take longer than Options.Silence, because they wait for network
// storage.
func AllowSilence(ctx context.Context) context.Context {
	return context.WithValue(ctx, patient{}, true)
}

// Call runs the operation op in the worker and returns the last part of the answer. Call passes earlier parts to item,
// which may be nil. The error is *CrashError, *Failure, ErrUnavailable, ErrClosed or context.Cause(ctx).
func (p *Process) Call(ctx context.Context, op byte, args Body, item func(Body)) (Body, error) {
	return p.call(ctx, 1, op, args, item)
}

func (p *Process) CallAlone(ctx context.Context, op byte, args Body, item func(Body)) (Body, error) {
	return p.call(ctx, exclusive, op, args, item)
}

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

// Retry runs the operation with Call. If the worker dies, Retry runs the operation again with Alone. The operation must
// be idempotent.
func (p *Process) Retry(ctx context.Context, op byte, args Body, item func(Body)) (Body, error) {
	out, err := p.Call(ctx, op, args, item)
	var died *CrashError
	if errors.As(err, &died) {
		return p.CallAlone(ctx, op, args, item)
	}
	return out, err
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
	var died *CrashError
	if errors.As(err, &died) {
		alone := *died
		alone.OnlyCall = weight == exclusive
		err = &alone
	} else if ctx.Err() == nil {
		p.well()
	}
	return out, err
}

// enter returns the running worker, or starts a worker. The worker keeps running at least until leave is called.
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

func (p *Process) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == 0 && p.w != nil {
		p.o.Log.Debug("idle worker ended", "worker", p.o.Name, "pid", p.w.pid)
		p.w.end()
		p.w = nil
	}
}

func (p *Process) gone(w *worker, d *CrashError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != w {
		return // the worker was stopped intentionally
	}
	p.w = nil
	p.deaths = append(p.deaths[max(0, len(p.deaths)-recent+1):], time.Now())
	p.failed(d)
}

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

// IgnoreLastCrash no longer counts the worker's last death as a failure. It is for deaths that the input caused.
func (p *Process) IgnoreLastCrash() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deaths = p.deaths[:max(0, len(p.deaths)-1)]
	p.failures = max(0, p.failures-1)
	p.until = time.Time{}
}

// failed records that the worker died or failed to start. The caller must lock p.mu.
func (p *Process) failed(err error) {
	p.failures++
	p.cause = err
	if errors.Is(err, errMute) { // a start without a first frame takes 30 seconds, so delay the next start at once
		p.failures = max(p.failures, enoughFailures+6)
	}
	if p.failures < enoughFailures {
		return
	}
	wait := min(firstWait<<min(p.failures-enoughFailures, 10), lastWait)
	p.until = time.Now().Add(wait)
	p.o.Log.Error("worker restart delayed",
		"worker", p.o.Name, "err", err, "failures", p.failures, "wait", wait)
	if !p.reported && p.o.Problem != nil {
		go p.o.Problem(err) // Problem may call methods of p, which lock p.mu
	}
	p.reported = true
}

func (p *Process) well() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = 0
	if p.reported && p.o.Problem != nil {
		go p.o.Problem(nil)
	}
	p.reported = false
}

// Close stops the worker and waits for its exit. Calls in flight fail.
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

type answer struct {
	kind byte
	body []byte
}

type worker struct {
	pid   int
	write sync.Mutex
	in    io.WriteCloser
	done  chan struct{} // closed after the process has exited
	died  *CrashError   // set before done is closed

	ending  sync.Once
	kill    func()
	silence time.Duration
	silent  atomic.Bool // the worker was killed because it did not respond
	stopped atomic.Bool // a signal or a debugger had stopped the process

	mu    sync.Mutex
	next  uint32
	calls map[uint32]*pending
}

// pending contains the parts of an answer that the caller has not read yet. Their number is not limited, so a slow
// caller doesn't delay other callers.
type pending struct {
	ready chan struct{} // contains a value if queue is not empty
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
		<-w.done
		return nil, w.died
	}
	silence := w.silence
	if ctx.Value(patient{}) != nil {
		silence = math.MaxInt64
	}
	for ended := false; ; {
		select {
		case <-c.ready:
		case <-time.After(silence):
			w.mute()
		case <-w.done: // the worker has exited, perhaps after it answered
			ended = true
		case <-ctx.Done():
			go w.send(frame(id, frameCancel, 0), nil)
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
		if ended {
			return nil, w.died
		}
	}
}

func (w *worker) take(c *pending) []answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := c.queue
	c.queue = nil
	return q
}

// send writes a frame to the worker. It kills the worker if the worker does not read the frame within w.silence.
func (w *worker) send(head []byte, body Body) error {
	late := time.AfterFunc(w.silence, w.mute)
	defer late.Stop()
	w.write.Lock()
	defer w.write.Unlock()
	return write(w.in, head, body)
}

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

func (w *worker) mute() {
	w.stopped.Store(stopped(w.pid))
	w.silent.Store(true)
	w.kill()
}

func (w *worker) end() {
	w.ending.Do(func() {
		late := time.AfterFunc(endsWithin, w.kill) // start the timer first, because Close may block on Windows
		_ = w.in.Close()
		go func() { <-w.done; late.Stop() }()
	})
}
