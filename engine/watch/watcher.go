package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"searchmcp/engine/api"
)

// Policy is what the watcher asks about paths below a root; engine/policy's Policy is one. It must be safe for concurrent use.
// If it also has a method Refresh(), that is called when an ignore file has changed, before the tree of watches is
// compared with it; if it has Outside() []string, these ignore files outside the root are watched too.
type Policy interface {
	// Root is the absolute path of the root.
	Root() string
	// Dir says why a folder is not entered, "" if it is.
	Dir(rel string) api.Reason
	// Path says why a file does not belong to the project, "" if it does, by rules on the path alone.
	Path(rel string) api.Reason
	// IsIgnoreFile says that the file decides over others.
	IsIgnoreFile(rel string) bool
}

// Options of a Watcher; the zero value is usable.
type Options struct {
	// Prefix is put before every path of a batch: "" for a project's first root, "@name/" for a further one.
	Prefix string
	// IgnoreFiles are absolute paths of further files that decide over the project's, e.g. git's global one.
	IgnoreFiles []string
	// MaxWatches bounds the folders that are watched; the others are polled. 0: as many as the system gives.
	MaxWatches int
	// OnStatus is called with every change of the status, from Run's goroutine; it must not block.
	OnStatus func(Status)
	Log      *slog.Logger

	open   func() (source, error)  // tests put a fake here
	mounts func() (*mounts, error) // and here
	limits limits
}

// Status is how well a root is watched.
type Status struct {
	// Active says that changes are noticed, by watch or by polling.
	Active bool
	// Watched and Polled count folders.
	Watched, Polled int
	// Note says in words what is not as it should be and what a person can do, "" if all is well.
	Note string
}

// Watcher notices changes below one root. Its methods are safe for concurrent use; Run may be called once.
type Watcher struct {
	opt   Options
	log   *slog.Logger
	check chan struct{} // 1-buffered: look at root and policy now

	mu     sync.Mutex // guards what follows
	policy Policy
	status Status
	// changedPolicy: SetPolicy was called since Run looked last.
	changedPolicy bool
}

// New makes a watcher of policy's root. The root need not exist.
func New(p Policy, o Options) (*Watcher, error) {
	if o.MaxWatches < 0 {
		return nil, fmt.Errorf("watch folder: negative number of watches %d", o.MaxWatches)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.open == nil {
		o.open = openNotify
	}
	if o.mounts == nil {
		o.mounts = openMounts
	}
	if o.limits == (limits{}) {
		o.limits = defaultLimits
	}
	return &Watcher{opt: o, log: o.Log, policy: p, check: make(chan struct{}, 1)}, nil
}

// Status returns how well the root is watched now.
func (w *Watcher) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// SetPolicy puts other rules in force: watches are added and dropped, and a rescan follows. The root must be the same.
func (w *Watcher) SetPolicy(p Policy) {
	w.mu.Lock()
	w.policy, w.changedPolicy = p, true
	w.mu.Unlock()
	w.Check()
}

// Check makes the watcher look at its root now: for somebody who found it missing, or guesses that it is back.
func (w *Watcher) Check() {
	select {
	case w.check <- struct{}{}:
	default:
	}
}

func (w *Watcher) currentPolicy() (p Policy, changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, changed = w.policy, w.changedPolicy
	w.changedPolicy = false
	return p, changed
}

func (w *Watcher) report(s Status) {
	w.mu.Lock()
	changed := w.status != s
	w.status = s
	w.mu.Unlock()
	if changed && w.opt.OnStatus != nil {
		w.opt.OnStatus(s)
	}
}

// Times between two attempts to start a dead watcher, and to find a missing root. A watcher that has lived for
// healthyAfter has earned the shortest wait again.
const (
	restartFirst = time.Second
	restartLast  = 5 * time.Minute
	healthyAfter = 10 * time.Minute
	returnFirst  = 2 * time.Second
	returnLast   = 30 * time.Second
)

// errRootGone ends a session whose root is missing; errRootReplaced one whose root is another folder now.
var (
	errRootGone     = errors.New("the project's folder is missing or can't be read")
	errRootReplaced = errors.New("the project's folder was replaced")
	errReopen       = errors.New("file notifications can be had again")
)

// Run sends batches to out until ctx ends, then returns nil. The first one, CauseStart, says that the watches stand: what
// changes from then on will be told, so the pass at start (RFC 5.6) belongs after it. A root that is missing makes a
// RootGone batch and is polled for; its return makes one with Back. A source that dies is started again, after a while
// that doubles with each death, and a rescan follows.
func (w *Watcher) Run(ctx context.Context, out chan<- Batch) error {
	cause, wait := CauseStart, restartFirst
	var last ident
	for ctx.Err() == nil {
		id, err := w.root(last)
		if err != nil {
			if id, err = w.awaitRoot(ctx, out, last); err != nil {
				break
			}
			cause = CauseRoot
		}
		last = id
		began := time.Now()
		err = w.session(ctx, out, cause, id)
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, errRootReplaced):
			cause, last = CauseRoot, ident{}
		case errors.Is(err, errRootGone):
			cause = CauseRoot // the next round waits for it
		case errors.Is(err, errReopen):
			cause = CauseRestart
		default:
			if time.Since(began) > healthyAfter {
				wait = restartFirst
			}
			w.log.Warn("Watcher died and will be restarted", "error", err, "after", wait)
			w.report(Status{Note: "Watching for changes failed (" + err.Error() + ") and will be tried again."})
			pause(ctx, jitter(wait))
			cause, wait = CauseRestart, min(2*wait, restartLast)
		}
	}
	w.report(Status{})
	return nil
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// root says which folder the root is now, or errRootGone. An empty folder on another file system than last time is the bare
// mount point of what was there.
func (w *Watcher) root(last ident) (ident, error) {
	root := w.rootPath()
	fi, err := os.Lstat(root)
	if err != nil || !fi.IsDir() {
		return ident{}, errRootGone
	}
	f, err := os.Open(root)
	if err != nil {
		return ident{}, errRootGone
	}
	defer f.Close() // only read
	names, err := f.Readdirnames(1)
	id := identOf(fi)
	if len(names) == 0 {
		if last != (ident{}) && last.dev != id.dev {
			return ident{}, errRootGone
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return ident{}, errRootGone
		}
	}
	return id, nil
}

func (w *Watcher) rootPath() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.policy.Root()
}

// awaitRoot tells that the root is gone and waits until it is back. It fails only with ctx.
func (w *Watcher) awaitRoot(ctx context.Context, out chan<- Batch, last ident) (ident, error) {
	w.report(Status{Note: "The project's folder is missing or can't be read; it is looked for until it is back."})
	select {
	case out <- Batch{Root: w.opt.Prefix, RootGone: true, Cause: CauseRoot}:
	case <-ctx.Done():
		return ident{}, context.Cause(ctx)
	}
	wait := returnFirst
	m, err := w.opt.mounts()
	if err != nil {
		m = &mounts{} // polling alone finds it too
	} else {
		defer m.close()
	}
	for {
		id, err := w.root(last)
		if err == nil {
			return id, nil
		}
		t := time.NewTimer(jitter(wait))
		select {
		case <-t.C:
			wait = min(2*wait, returnLast)
		case <-w.check:
		case <-m.changed:
		case <-ctx.Done():
			t.Stop()
			return ident{}, context.Cause(ctx)
		}
		t.Stop()
	}
}

// isGone tells that a path is not there from that it can't be looked at.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
