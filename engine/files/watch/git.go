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
	quiet           time.Duration // time without changes after a move of HEAD
	settleAfterMove time.Duration // after a move of HEAD, batches are released immediately for this time
	poll            time.Duration // time between two reads of HEAD if watching fails
}

// A checkout's changes arrive up to 500 ms after the move of HEAD. 2 s are enough.
var defaultGitTimes = gitTimes{quiet: 500 * time.Millisecond, settleAfterMove: 2 * time.Second, poll: 10 * time.Second}

// followRepositories reports moves of HEAD until ctx ends.
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
			why = "The git repository can't be watched for commits (" + err.Error() + ")"
		}
		o.call(ctx, func(m *machine) {
			m.notFollowing(why + ". Changes are indexed when no file has changed for " + o.opt.Idle.String() +
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
	queue *queue
	src   source
	last  repo.Head
	poll  bool
	added map[string]fileID
}

// follow watches a repository until ctx ends or the repository disappears.
func (o *Orchestrator) follow(ctx context.Context, r repo.Git) (err error) {
	f := &follower{Orchestrator: o, repo: r, queue: newQueue(10000), added: map[string]fileID{}}
	f.src = o.opt.open(f.queue)
	defer func() { err = errors.Join(err, f.src.Close()) }()
	if f.last, err = f.repo.Head(); err != nil {
		return err
	}
	f.watch(f.last)
	// Read HEAD again, because HEAD may have moved before the watches were set.
	if f.last, err = f.repo.Head(); err != nil {
		return err
	}
	f.movedBefore(ctx)
	f.reportPolling(ctx)
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	var due <-chan time.Time
	for {
		if due == nil && f.poll {
			quiet.Reset(jitter(f.opt.times.poll))
			due = quiet.C
		}
		select {
		case <-f.queue.signal:
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

func (f *follower) reportPolling(ctx context.Context) {
	note := ""
	if f.poll {
		note = "HEAD of the git repository can't be watched and is read every " + f.opt.times.poll.String() + "."
	}
	f.call(ctx, func(m *machine) { m.alone, m.note, m.idleAt = false, note, time.Time{} })
}

// watch watches the folders of HEAD and the references. If watching fails, HEAD is polled.
func (f *follower) watch(h repo.Head) {
	f.poll = false
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
		if err := f.src.Add(folder); err != nil {
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
	polled := f.poll
	if f.watch(now); f.poll != polled {
		f.reportPolling(ctx)
	}
	if now == f.last {
		return nil
	}
	f.last = now
	f.call(ctx, func(m *machine) { m.moved(now.String(), f.opt.times.settleAfterMove) })
	return nil
}

// movedBefore reports a move of HEAD that happened before the app started.
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
		if err := f.opt.Head.Save(now); err != nil {
			f.log.Warn("position of HEAD not saved; a commit before the next start may be missed", "err", err)
		}
		return
	case kept == now:
		return
	}
	f.call(ctx, func(m *machine) { m.moved(now, 0) })
}
