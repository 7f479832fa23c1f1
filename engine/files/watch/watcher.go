package watch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"searchmcp/engine/api"
)

// Policy is what the watcher asks about paths below a root; engine/files/policy's Policy is one. It must be safe for
// concurrent use. If it also has a method Refresh(), that is called when an ignore file has changed, before the tree
// of watches is compared with it; if it has Outside() []string, these ignore files outside the root are watched too.
type Policy interface {
	// Root is the absolute path of the root.
	Root() string
	// Dir says why a folder is not entered, "" if it is.
	Dir(rel string) api.Reason
	// Path says why a file does not belong to the project, "" if it does, by rules on the path alone.
	Path(rel string) api.Reason
	// IsIgnoreFile reports whether a file decides which others belong to the project.
	IsIgnoreFile(rel string) bool
}

// Options of a Watcher; the zero value is usable.
type Options struct {
	// Prefix is put before every path of a batch: "" for a project's first root, "@name/" for a further one.
	Prefix string
	// OnStatus is called with every change of the status, from Run's goroutine; it must not block.
	OnStatus func(Status)
	// OnLeftOut is told of each path (with Prefix) that policy leaves out by its name and that has appeared, with the
	// reason, or gone, with none, from Run's goroutine; it must not block. There is no batch about it. Optional.
	OnLeftOut func(path string, reason api.Reason)
	Log       *slog.Logger

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

// NoteAway is the note while there is no root to be watched.
const NoteAway = "The project's folder is missing or can't be read; it is looked for until it is back."

// Watcher notices changes below one root. Its methods are safe for concurrent use; Run may be called once.
type Watcher struct {
	opt     Options
	policy  Policy
	log     *slog.Logger
	recheck chan struct{} // 1-buffered: look at the root now

	mu     sync.Mutex // guards what follows
	status Status
}

// New makes a watcher of policy's root. The root need not exist.
func New(p Policy, o Options) *Watcher {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.open == nil {
		o.open = openTree
		if inWSL(p.Root()) {
			o.open = func() (source, error) { return nil, errWSL }
		}
	}
	if o.mounts == nil {
		o.mounts = openMounts
	}
	if o.limits == (limits{}) {
		o.limits = defaultLimits
	}
	return &Watcher{opt: o, log: o.Log, policy: p, recheck: make(chan struct{}, 1)}
}

// Status returns how well the root is watched now.
func (w *Watcher) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// Check makes the watcher verify its root now: the caller found it missing or expects that it is back.
func (w *Watcher) Check() { wake(w.recheck) }

func (w *Watcher) report(s Status) {
	w.mu.Lock()
	changed := w.status != s
	w.status = s
	w.mu.Unlock()
	if changed && w.opt.OnStatus != nil {
		w.opt.OnStatus(s)
	}
}

// Exponential backoff of restarting a failed watcher and of polling for a missing root. A watcher that has run for
// healthyAfter starts again with the shortest wait.
const (
	restartMin   = time.Second
	restartMax   = 5 * time.Minute
	healthyAfter = 10 * time.Minute
	rootPollMin  = 2 * time.Second
	rootPollMax  = 30 * time.Second
)

// Why watchRoot ends early.
var (
	errRootGone     = errors.New("the project's folder is missing or can't be read")
	errRootReplaced = errors.New("the project's folder was replaced")
	errReopen       = errors.New("file notifications can be had again")
)

// Run sends batches to out until ctx ends, then returns nil. The first one, CauseStart, says that the watches are set:
// later changes are reported, so the pass at start (RFC 5.6) follows it. A missing root makes a RootGone batch and is
// polled for; its return makes one with Back. A source that fails is restarted with exponential backoff, and a rescan
// follows.
func (w *Watcher) Run(ctx context.Context, out chan<- Batch) error {
	cause, wait := CauseStart, restartMin
	var last fileID
	for ctx.Err() == nil {
		id, err := w.rootID(last)
		if err != nil {
			if id, err = w.awaitRoot(ctx, out, last); err != nil {
				break
			}
			cause = CauseRoot
		}
		last = id
		began := time.Now()
		err = w.watchRoot(ctx, out, cause, id)
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, errRootReplaced):
			cause, last = CauseRoot, fileID{}
		case errors.Is(err, errRootGone):
			cause = CauseRoot // the next round waits for it
		case errors.Is(err, errReopen):
			cause = CauseRestart
		default:
			if time.Since(began) > healthyAfter {
				wait = restartMin
			}
			w.log.Warn("watcher died and will be restarted", "err", err, "after", wait)
			w.report(Status{Note: "Watching for changes failed (" + err.Error() + ") and will be tried again."})
			sleep(ctx, jitter(wait))
			cause, wait = CauseRestart, min(2*wait, restartMax)
		}
	}
	w.report(Status{})
	return nil
}

// sleep waits for d or the end of ctx.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// rootID returns the identity of the root, or errRootGone. An empty folder on another file system than last time is
// the mount point of an unmounted root.
func (w *Watcher) rootID(last fileID) (fileID, error) {
	root := w.policy.Root()
	fi, err := os.Lstat(root)
	if err != nil || !fi.IsDir() {
		return fileID{}, errRootGone
	}
	f, err := os.Open(root)
	if err != nil {
		return fileID{}, errRootGone
	}
	defer f.Close() // only read
	names, err := f.Readdirnames(1)
	id := openedID(f, fi)
	if len(names) == 0 && (last != (fileID{}) && last.dev != id.dev || err != nil && !errors.Is(err, io.EOF)) {
		return fileID{}, errRootGone
	}
	return id, nil
}

// awaitRoot reports that the root is gone and waits until it is back. It fails only with ctx.
func (w *Watcher) awaitRoot(ctx context.Context, out chan<- Batch, last fileID) (fileID, error) {
	w.report(Status{Note: NoteAway})
	select {
	case out <- Batch{Root: w.opt.Prefix, RootGone: true, Cause: CauseRoot}:
	case <-ctx.Done():
		return fileID{}, context.Cause(ctx)
	}
	wait := rootPollMin
	m, err := w.opt.mounts()
	if err != nil {
		m = &mounts{} // polling alone finds it too
	} else {
		defer m.close()
	}
	for {
		id, err := w.rootID(last)
		if err == nil {
			return id, nil
		}
		t := time.NewTimer(jitter(wait))
		select {
		case <-t.C:
			wait = min(2*wait, rootPollMax)
		case <-w.recheck:
		case <-m.changed:
		case <-ctx.Done():
			t.Stop()
			return fileID{}, context.Cause(ctx)
		}
		t.Stop()
	}
}

// isGone reports whether a path does not exist, as opposed to not being accessible.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
