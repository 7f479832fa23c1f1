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
	"searchmcp/engine/files/repo"
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

// HeadStore keeps where HEAD was last seen. The text is git's (the strategy) own.
type HeadStore interface {
	Load() (string, error) // "" if nothing was kept
	Save(head string) error
}

// git releases when HEAD moves: commit, checkout, merge, rebase, reset, pull. It reads HEAD, the branch and the
// reflog, and installs nothing in the repository. Passes over the whole project would index what is not committed, so
// they wait for the next move, which then covers everything; one that happened while nobody watched is noticed at the
// start. Without a repository it behaves as lazy, and follows one that appears later.
type git struct {
	root string
	log  *slog.Logger
	lazy *lazy
	open func() (source, error)
	gitTimes
	store HeadStore // nil: none

	event chan struct{} // 1-buffered: something changed while there was no repository

	mu            sync.Mutex // guards what follows
	noRepo        bool
	note          string
	settlingUntil time.Time // batches are released at once until then
	held          bool      // a pass over the whole project waits for the next release
	heldFull      bool      // it hashes everything
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
		r, err := repo.Above(g.root)
		if err == nil {
			err = g.follow(ctx, r, releases)
		}
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, repo.ErrNone) {
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
	if all, full := g.takeHeld(); all {
		release{cause: CauseStart, all: true, full: full}.send(ctx, releases)
	}
	lazyCtx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); g.lazy.Run(lazyCtx, releases) }()
	defer func() { stop(); <-done }()
	for {
		select {
		case <-g.event:
			if _, err := repo.Above(g.root); err == nil {
				release{cause: CauseGit}.send(ctx, releases)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// follow watches one repository until ctx ends or the repository is gone.
func (g *git) follow(ctx context.Context, r repo.Git, releases chan<- release) (err error) {
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

// Holds keeps passes over the whole project until HEAD moves.
func (g *git) Holds(b Batch) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.noRepo || b.Ignore {
		return false
	}
	switch b.Cause {
	case CauseStart, CauseRestart, CauseWake, CauseDaily:
		g.held, g.heldFull = true, g.heldFull || b.Full
		return true
	}
	return false
}

// takeHeld says whether a pass waits, which the caller is about to release.
func (g *git) takeHeld() (all, full bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	all, full = g.held, g.heldFull
	g.held, g.heldFull = false, false
	return all, full
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
	repo     repo.Git
	releases chan<- release
	queue    *queue // nil: HEAD is polled
	last     repo.Head
	poll     bool
	added    map[string]fileID // watched folders
}

func (f *follower) run(ctx context.Context) error {
	f.added = map[string]fileID{}
	f.poll = f.queue == nil
	var err error
	// Watch first, then read: no move falls in between.
	if f.last, err = f.repo.Head(); err != nil {
		return err
	}
	f.watch(f.last)
	if f.last, err = f.repo.Head(); err != nil {
		return err
	}
	f.movedBefore(ctx)
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
func (f *follower) watch(h repo.Head) {
	if f.queue == nil {
		return
	}
	for _, folder := range f.repo.Folders(h) {
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
	now, err := f.repo.Head()
	if err != nil {
		if _, serr := os.Stat(f.repo.Dir); serr != nil {
			return repo.ErrNone
		}
		return fmt.Errorf("follow git repository: %w", err)
	}
	f.watch(now)
	if now == f.last {
		return nil
	}
	held, full := f.git.takeHeld()
	all := held || !f.repo.OnlyCommits(f.last, now) // anything but a commit may have changed any file
	f.last = now
	f.git.mu.Lock()
	f.git.settlingUntil = time.Now().Add(f.git.settleAfterMove)
	f.git.mu.Unlock()
	release{cause: CauseGit, all: all, full: full, head: f.last.String()}.send(ctx, f.releases)
	return nil
}

// movedBefore releases everything if HEAD has moved since it was kept: somebody committed while nobody watched.
func (f *follower) movedBefore(ctx context.Context) {
	if f.git.store == nil {
		return
	}
	kept, err := f.git.store.Load()
	switch {
	case err != nil:
		f.git.log.Warn("position of HEAD not known, everything is compared", "err", err)
	case kept == "": // the index was made, or made to follow commits, just now
		saveHead(f.git.store, f.last.String(), f.git.log)
		return
	case kept == f.last.String():
		return
	}
	_, full := f.git.takeHeld()
	release{cause: CauseGit, all: true, full: full, head: f.last.String()}.send(ctx, f.releases)
}

// saveHead keeps where HEAD is.
func saveHead(store HeadStore, head string, log *slog.Logger) {
	if store == nil {
		return
	}
	if err := store.Save(head); err != nil {
		log.Warn("position of HEAD not kept; a commit before the next start may go unnoticed", "err", err)
	}
}
