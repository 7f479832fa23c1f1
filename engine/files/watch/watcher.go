package watch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"searchmcp/engine/api"
)

// Policy selects the paths to watch below a root. It must be safe for concurrent use.
type Policy interface {
	Root() string
	Dir(rel string) api.Reason
	// Path returns the reason why a file does not belong to the project, or "". It checks only the path.
	Path(rel string) api.Reason
	IsIgnoreFile(rel string) bool
	Refresh()                      // called after an ignore file has changed
	ExternalIgnoreFiles() []string // ignore files outside the root
}

type Options struct {
	// Prefix is the start of all paths: "" for a project's first root, "@name/" for others.
	Prefix string
	// OnStatus is called from Run's goroutine. It must not block.
	OnStatus func(Status)
	// OnLeftOut, if not nil, is called when an excluded path appears, and with an empty reason when it disappears. path
	// includes Prefix. Run's goroutine calls OnLeftOut, which must not block.
	OnLeftOut func(path string, reason api.Reason)
	Log       *slog.Logger

	open   func(*queue) sources    // replaced by tests
	mounts func() (*mounts, error) // replaced by tests
	limits limits
}

type Status struct {
	// Active is true if changes are detected.
	Active bool
	// Watched and Polled are numbers of folders.
	Watched, Polled int
	Note            string
}

// NoteAway is shown while the root of the project is missing.
const NoteAway = "The project's folder is missing or can't be read. Search MCP keeps checking for it."

// Watcher detects changes below one root. Run may be called once.
type Watcher struct {
	opt     Options
	policy  Policy
	log     *slog.Logger
	recheck chan struct{} // buffered; requests a check of the root
	status  atomic.Pointer[Status]
}

func New(p Policy, o Options) *Watcher {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.open == nil {
		o.open = openTree
		if inWSL(p.Root()) {
			o.open = func(*queue) sources { return sources{tree: noSource{}, outside: noSource{}} }
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

func (w *Watcher) Check() { wake(w.recheck) }

func (w *Watcher) report(s Status) {
	if last := w.status.Swap(&s); (last == nil || *last != s) && w.opt.OnStatus != nil {
		w.opt.OnStatus(s)
	}
}

const (
	restartMin   = time.Second // delay before a failed watcher is restarted; doubled for each further failure
	restartMax   = 5 * time.Minute
	healthyAfter = 10 * time.Minute // reset of the delay after this time without a failure
	rootPollMin  = 2 * time.Second  // delay before a missing root is checked; doubled after each check
	rootPollMax  = 30 * time.Second
)

var (
	errRootGone     = errors.New("the project's folder is missing or can't be read")
	errRootReplaced = errors.New("the project's folder was replaced")
)

// Run sends batches to out until ctx ends. The first batch, with CauseStart, is sent when all watches are set. If the
// root is missing, Run sends a RootGone batch, polls the root, and sends a Back batch when the root returns.
func (w *Watcher) Run(ctx context.Context, out chan<- Batch) {
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
			cause = CauseRoot
		default:
			if time.Since(began) > healthyAfter {
				wait = restartMin
			}
			w.log.Warn("watcher failed, restarting", "err", err, "after", wait)
			w.report(Status{Note: "Watching for changes failed (" + err.Error() + ") and will be retried."})
			sleep(ctx, jitter(wait))
			cause, wait = CauseRestart, min(2*wait, restartMax)
		}
	}
	w.report(Status{})
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// rootID returns the root's identity, or errRootGone if the root is missing or unreadable. An empty root on another
// file system than before counts as missing, because it was probably unmounted.
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
	defer f.Close() // read-only
	names, err := f.Readdirnames(1)
	id := openedID(f, fi)
	if len(names) == 0 && (last != (fileID{}) && last.dev != id.dev || err != nil && !errors.Is(err, io.EOF)) {
		return fileID{}, errRootGone
	}
	return id, nil
}

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
		m = &mounts{}
	} else {
		defer m.close()
	}
	for {
		id, err := w.rootID(last)
		if err == nil {
			return id, nil
		}
		select {
		case <-time.After(jitter(wait)):
			wait = min(2*wait, rootPollMax)
		case <-w.recheck:
		case <-m.changed:
		case <-ctx.Done():
			return fileID{}, context.Cause(ctx)
		}
	}
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
