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

// gitTimes are the times of following a repository; tests lower them.
type gitTimes struct {
	quiet           time.Duration // makes one release of the dozens of steps of a rebase
	settleAfterMove time.Duration // after a move of HEAD, how long batches are released at once
	poll            time.Duration // how often HEAD is read if it can't be watched
}

// defaultGitTimes: the watcher debounces changes of a checkout, or of a save before a commit, for 500 ms, so batches
// of the next 2 s belong to the move of HEAD.
var defaultGitTimes = gitTimes{quiet: 500 * time.Millisecond, settleAfterMove: 2 * time.Second, poll: 10 * time.Second}

// git releases when HEAD moves: commit, checkout, merge, rebase, reset, pull. It reads HEAD, the branch and the
// reflog, and installs nothing in the repository. Without a repository it behaves as lazy, and follows
// one that appears later.
type git struct {
	root string
	log  *slog.Logger
	lazy *lazy
	open func() (source, error)
	gitTimes

	event chan struct{} // 1-buffered: something changed while there was no repository

	mu            sync.Mutex // guards what follows
	noRepo        bool
	note          string
	settlingUntil time.Time // batches are released at once until then
}

func newGit(root string, idle time.Duration, log *slog.Logger, open func() (source, error), times gitTimes) *git {
	return &git{
		root: root, log: log, lazy: newLazy(idle), open: open, gitTimes: times, event: make(chan struct{}, 1),
	}
}

func (*git) Name() api.Strategy { return api.Git }

// Note says that there is no repository, or that it is polled.
func (g *git) Note() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.note
}

func (g *git) setState(noRepo bool, note string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.noRepo, g.note = noRepo, note
}

// Run follows the repository until ctx ends; while it can't, it behaves as lazy.
func (g *git) Run(ctx context.Context, releases chan<- release) {
	for ctx.Err() == nil {
		r, err := gitAbove(g.root)
		if err == nil {
			err = g.follow(ctx, r, releases)
		}
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errNoRepo) {
			g.setState(true, "This folder has no git repository, so changes are indexed when nothing has changed for "+
				g.lazy.idle.String()+", and before a search.")
		} else {
			g.log.Warn("git repository can't be followed", "err", err)
			g.setState(true, "The git repository can't be followed ("+err.Error()+
				"), so changes are indexed when nothing has changed for "+
				g.lazy.idle.String()+", and before a search.")
		}
		g.awaitRepo(ctx, releases)
	}
}

// awaitRepo behaves as lazy until there is a repository. It looks for one when something has changed, so it costs
// nothing while nothing does.
func (g *git) awaitRepo(ctx context.Context, releases chan<- release) {
	lazyCtx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); g.lazy.Run(lazyCtx, releases) }()
	defer func() { stop(); <-done }()
	for {
		select {
		case <-g.event:
			if _, err := gitAbove(g.root); err == nil {
				release{cause: CauseGit}.send(ctx, releases)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// follow watches one repository until ctx ends or the repository is gone.
func (g *git) follow(ctx context.Context, r repo, releases chan<- release) (err error) {
	f := &follower{git: g, repo: r, releases: releases}
	src, err := g.open()
	switch {
	case err == nil:
		f.queue = newQueue(src, 10000) // a fetch of thousands of branches is one check anyway
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

// OnBatch releases what belongs to a move of HEAD that was just seen, and changes of ignore files.
func (g *git) OnBatch(b Batch) bool {
	g.mu.Lock()
	noRepo, settling := g.noRepo, time.Now().Before(g.settlingUntil)
	g.mu.Unlock()
	if noRepo {
		wake(g.event)
		return g.lazy.OnBatch(b)
	}
	return settling || b.Ignore
}

// BeforeSearch releases nothing while there is a repository: RFC 5.7, only on commit.
func (g *git) BeforeSearch() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.noRepo
}

// follower is the life of one repository under the git strategy. It belongs to Run's goroutine.
type follower struct {
	git      *git
	repo     repo
	releases chan<- release
	queue    *queue // nil: HEAD is polled
	last     head
	poll     bool
	added    map[string]fileID // watched folders
}

func (f *follower) run(ctx context.Context) error {
	f.added = map[string]fileID{}
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
	f.git.setState(false, note)
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
			if err := f.checkHead(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// watch watches the folders that a move of HEAD changes. When git creates one of them, it changes another one too.
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
		id := fileIDOf(fi)
		if known, ok := f.added[folder]; ok && known == id {
			continue
		}
		if err := f.queue.src.Add(folder); err != nil {
			f.git.log.Debug("folder of git can't be watched; HEAD is polled", "err", err)
			f.poll = true
			continue
		}
		f.added[folder] = id
	}
}

// checkHead compares HEAD with where it was, and releases the dirty set if it moved.
func (f *follower) checkHead(ctx context.Context) error {
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
	all := !f.repo.onlyCommits(f.last, now) // anything but a commit may have changed any file
	f.last = now
	f.git.mu.Lock()
	f.git.settlingUntil = time.Now().Add(f.git.settleAfterMove)
	f.git.mu.Unlock()
	release{cause: CauseGit, all: all}.send(ctx, f.releases)
	return nil
}
