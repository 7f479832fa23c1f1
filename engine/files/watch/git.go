package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"searchmcp/engine/files/repo"
)

type gitTimes struct {
	quiet           time.Duration // combines the many steps of a rebase into one move
	settleAfterMove time.Duration // batches within this period after a move of HEAD are released immediately
	poll            time.Duration // interval of reading HEAD if it can't be watched
}

// The watcher debounces a checkout's changes for 500 ms, so batches within 2 s count as part of the move of HEAD.
var defaultGitTimes = gitTimes{quiet: 500 * time.Millisecond, settleAfterMove: 2 * time.Second, poll: 10 * time.Second}

// followRepositories passes moves of HEAD to the machine until ctx ends. It installs nothing in the repository, and
// looks for a new repository only after changes.
func (o *Orchestrator) followRepositories(ctx context.Context) {
	for ctx.Err() == nil {
		r, err := repo.Above(o.opt.Root)
		if err == nil {
			err = o.follow(ctx, r)
		}
		if ctx.Err() != nil {
			return
		}
		why := "This folder has no git repository"
		if !errors.Is(err, repo.ErrNone) {
			o.log.Warn("git repository can't be followed", "err", err)
			why = "The git repository can't be followed (" + err.Error() + ")"
		}
		o.call(ctx, func(m *machine) {
			m.notFollowing(why + ", so changes are indexed once the files have been unchanged for " + o.opt.Idle.String() +
				", and before each search.")
		})
		for found := false; !found; {
			select {
			case <-o.machine.look:
				_, err := repo.Above(o.opt.Root)
				found = err == nil
			case <-ctx.Done():
				return
			}
		}
		o.call(ctx, func(m *machine) {
			m.idleAt = time.Time{}
			m.release(CauseGit)
		})
	}
}

type follower struct {
	*Orchestrator
	repo  repo.Git
	queue *queue // nil if HEAD is polled
	last  repo.Head
	poll  bool
	added map[string]fileID // identities of the watched folders
}

// follow watches a repository until ctx ends or the repository disappears.
func (o *Orchestrator) follow(ctx context.Context, r repo.Git) (err error) {
	f := &follower{Orchestrator: o, repo: r, added: map[string]fileID{}}
	src, err := o.opt.open()
	switch {
	case err == nil:
		f.queue = newQueue(src, 10000)
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

func (f *follower) run(ctx context.Context) (err error) {
	f.poll = f.queue == nil
	// HEAD is read after the watches are set, so that no move is missed.
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
		note = "HEAD of the git repository can't be watched and is read every " + f.opt.times.poll.String() + "."
	}
	f.call(ctx, func(m *machine) { m.following(note) })
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	var signal chan struct{}
	if f.queue != nil {
		signal = f.queue.signal
	}
	var due <-chan time.Time
	for {
		if due == nil && f.poll {
			quiet.Reset(jitter(f.opt.times.poll))
			due = quiet.C
		}
		select {
		case <-signal:
			if _, _, err := f.queue.take(); err != nil {
				return err
			}
			quiet.Reset(f.opt.times.quiet)
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

// watch watches the folders that a move of HEAD changes. A missing folder isn't watched, because git also changes an
// existing one when it creates the folder.
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
			f.log.Debug("folder of git can't be watched; HEAD is polled", "err", err)
			f.poll = true
			continue
		}
		f.added[folder] = id
	}
}

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
	f.last = now
	f.call(ctx, func(m *machine) { m.moved(now.String(), f.opt.times.settleAfterMove) })
	return nil
}

// movedBefore reports a move of HEAD that happened while the project was not watched.
func (f *follower) movedBefore(ctx context.Context) {
	if f.opt.Head == nil {
		return
	}
	kept, err := f.opt.Head.Load()
	now := f.last.String()
	switch {
	case err != nil:
		f.log.Warn("position of HEAD unknown, comparing all files", "err", err)
	case kept == "": // the index is new, or the strategy was just enabled
		f.saveHead(now)
		return
	case kept == now:
		return
	}
	f.call(ctx, func(m *machine) { m.moved(now, 0) })
}
