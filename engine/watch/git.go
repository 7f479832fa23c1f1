package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"searchmcp/engine/api"
)

// gitTimes are the figures of following a repository; tests shrink them.
type gitTimes struct {
	quiet  time.Duration // lets the dozens of steps of a rebase become one
	settle time.Duration // after a release, batches are still handed on at once
	poll   time.Duration // how often HEAD is read when the system gives no watch for it
}

// defaultGitTimes: the watcher may tell what a checkout, or the save before a commit, changed only after its own 500 ms, so
// batches of the following 2 s belong to the move of HEAD.
var defaultGitTimes = gitTimes{quiet: 500 * time.Millisecond, settle: 2 * time.Second, poll: 10 * time.Second}

// git hands on when HEAD moves: commit, checkout, merge, rebase, reset, pull. It reads HEAD, the branch and the reflog, and
// installs nothing in the repository (RFC 5.7). A folder that lies in no repository is treated as lazy does, and a
// repository that appears later is followed from then on.
type git struct {
	to   handover
	root string
	log  *slog.Logger
	lazy *lazy
	open func() (source, error)
	gitTimes

	event chan Batch // 1-buffered: something was recorded

	mu       sync.Mutex // guards what follows
	without  bool       // there is no repository
	note     string
	settling time.Time // batches up to then are handed on
}

func newGit(to handover, root string, idle time.Duration, log *slog.Logger, open func() (source, error), times gitTimes) *git {
	return &git{
		to: to, root: root, log: log, lazy: newLazy(to, idle), open: open, gitTimes: times, event: make(chan Batch, 1),
	}
}

func (*git) Name() api.Strategy { return api.Git }

// Note says that there is no repository, or that it is polled.
func (g *git) Note() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.note
}

func (g *git) state(without bool, note string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.without, g.note = without, note
}

// Run follows the repository until ctx ends; whenever it can't, it behaves as lazy and looks again.
func (g *git) Run(ctx context.Context) {
	for ctx.Err() == nil {
		r, err := gitAbove(g.root)
		if err == nil {
			err = g.follow(ctx, r)
		}
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errNoRepo) {
			g.state(true, "This folder has no git repository, so changes are indexed when nothing has changed for "+
				g.lazy.idle.String()+", and before a search.")
		} else {
			g.log.Warn("Git repository can't be followed", "error", err)
			g.state(true, "The git repository can't be followed ("+err.Error()+"), so changes are indexed when nothing has changed for "+
				g.lazy.idle.String()+", and before a search.")
		}
		g.untilRepo(ctx)
	}
}

// untilRepo is lazy's way until a repository is there. It looks when something has changed, so it costs nothing while
// nothing does.
func (g *git) untilRepo(ctx context.Context) {
	lazyCtx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); g.lazy.Run(lazyCtx) }()
	defer func() { stop(); <-done }()
	for {
		select {
		case b := <-g.event:
			g.lazy.OnBatch(b)
			if _, err := gitAbove(g.root); err == nil {
				g.to.release(CauseGit)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// follow watches one repository until ctx ends or the repository is gone.
func (g *git) follow(ctx context.Context, r repo) (err error) {
	f := &follower{git: g, repo: r}
	src, err := g.open()
	switch {
	case err == nil:
		f.queue = newQueue(src, 10000) // a fetch of thousands of branches is one look anyway
		defer func() {
			if cerr := f.queue.close(); err == nil && cerr != nil {
				err = cerr
			}
		}()
	case !exhausted(err):
		return err
	}
	return f.run(ctx)
}

// OnBatch hands on what belongs to a move of HEAD that was just seen, and ignore files.
func (g *git) OnBatch(b Batch) {
	g.mu.Lock()
	without := g.without
	settling := time.Now().Before(g.settling)
	g.mu.Unlock()
	switch {
	case without:
		select {
		case g.event <- b:
		default: // one word is enough
		}
	case settling || b.Ignore:
		g.to.release(b.Cause)
	}
}

// BeforeSearch hands nothing on while there is a repository: RFC 5.7, only on commit.
func (g *git) BeforeSearch(ctx context.Context) error {
	g.mu.Lock()
	without := g.without
	g.mu.Unlock()
	if without {
		return g.to.flush(ctx, CauseFlush)
	}
	return nil
}

func (g *git) Flush(ctx context.Context) error { return g.to.flush(ctx, CauseFlush) }

// follower is the life of one repository under the git strategy. It belongs to Run's goroutine.
type follower struct {
	git   *git
	repo  repo
	queue *queue // nil: HEAD is polled
	last  head
	poll  bool
	added map[string]ident // watched folders
}

func (f *follower) run(ctx context.Context) error {
	f.added = map[string]ident{}
	f.poll = f.queue == nil
	var err error
	// Watch first, then read: no move falls in between.
	if f.last, err = f.repo.read(); err != nil {
		return err
	}
	f.watch(f.last)
	if f.last, err = f.repo.read(); err != nil {
		return err
	}
	note := ""
	if f.poll {
		note = "HEAD of the git repository can't be watched and is read every " + f.git.gitTimes.poll.String() + "."
	}
	f.git.state(false, note)
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	var signal chan struct{}
	if f.queue != nil {
		signal = f.queue.signal
	}
	var due <-chan time.Time
	for {
		if due == nil && f.poll {
			quiet.Reset(jitter(f.git.poll))
			due = quiet.C
		}
		select {
		case <-signal:
			if _, _, err := f.queue.take(); err != nil {
				return err
			}
			quiet.Reset(f.git.quiet)
			due = quiet.C
		case <-due:
			due = nil
			if err := f.look(); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// watch watches the folders that matter for where HEAD is. Those that don't exist are made by git together with a change in
// one that does.
func (f *follower) watch(h head) {
	if f.queue == nil {
		return
	}
	for _, folder := range f.repo.folders(h) {
		fi, err := os.Stat(folder)
		if err != nil || !fi.IsDir() {
			delete(f.added, folder)
			continue
		}
		id := identOf(fi)
		if known, ok := f.added[folder]; ok && known == id {
			continue
		}
		if err := f.queue.src.Add(folder); err != nil {
			f.git.log.Debug("Folder of git can't be watched; HEAD is polled", "error", err)
			f.poll = true
			continue
		}
		f.added[folder] = id
	}
}

// look compares HEAD with where it was, and releases if it moved.
func (f *follower) look() error {
	now, err := f.repo.read()
	if err != nil {
		if _, serr := os.Stat(f.repo.dir); serr != nil {
			return errNoRepo
		}
		return fmt.Errorf("follow git repository: %w", err)
	}
	f.watch(now)
	if now == f.last {
		return nil
	}
	plain := f.repo.committed(f.last, now)
	f.last = now
	f.git.moved(!plain)
	return nil
}

// moved releases the dirty set; all says that any file of the work tree may have changed.
func (g *git) moved(all bool) {
	g.mu.Lock()
	g.settling = time.Now().Add(g.settle)
	g.mu.Unlock()
	if all {
		g.to.suspect(CauseGit)
	}
	g.to.release(CauseGit)
}
