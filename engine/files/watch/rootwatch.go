package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/fsnotify/fsnotify"

	"searchmcp/engine/api"
)

type rootWatch struct {
	w           *Watcher
	ctx         context.Context
	policy      Policy
	tree        *tree
	queue       *queue
	debounce    *debouncer
	outgoing    Batch
	id          fileID
	mounts      string
	rootSuspect bool // check the root before sending a batch
	lastPoll    time.Time
	pollPause   time.Duration
}

func (w *Watcher) watchRoot(ctx context.Context, out chan<- Batch, cause Cause, id fileID) (err error) {
	policy := w.policy
	s := &rootWatch{w: w, ctx: ctx, policy: policy, debounce: newDebouncer(w.opt.limits), id: id,
		mounts: mountsBelow(policy.Root()), queue: newQueue(w.opt.limits.maxPending)}
	src := w.opt.open(s.queue)
	defer func() { err = errors.Join(err, src.tree.Close(), src.outside.Close()) }()
	m, err := w.opt.mounts()
	if err != nil {
		w.log.Debug("mounts can't be watched", "err", err)
		m = &mounts{}
	} else {
		defer m.close()
	}
	s.tree = newTree(policy, src, w.log)
	s.tree.onMoved = func(rel string) { s.debounce.touch(rel, time.Now()) }
	policy.Refresh()
	s.tree.add(ctx, ".")
	policy.Refresh() // the rules may have changed before the folders were watched
	s.tree.onIgnoreFile = func() { s.debounce.ignoreFileChanged(time.Now()) }
	if s.tree.rootDir.state == unwatched || s.tree.rootDir.state == unreadable {
		return errRootGone
	}
	s.recordPoll(time.Now(), 0)
	s.reportStatus()
	s.outgoing = Batch{Root: w.opt.Prefix, Rescan: true, Back: cause == CauseRoot, Cause: cause}
	return s.loop(out, m.changed)
}

func (s *rootWatch) loop(out chan<- Batch, remount <-chan struct{}) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		var send chan<- Batch
		if !s.outgoing.Empty() {
			send = out
		}
		var due <-chan time.Time
		if at, ok := s.nextDue(); ok {
			timer.Reset(time.Until(at))
			due = timer.C
		} else {
			timer.Stop()
		}
		var err error
		select {
		case <-s.ctx.Done():
			return nil
		case send <- s.outgoing:
			s.outgoing = Batch{}
		case <-s.queue.signal:
			err = s.takeEvents()
		case <-due:
			err = s.tick(time.Now())
		case <-remount:
			err = s.remounted()
		case <-s.w.recheck:
			err = s.verifyRoot()
		}
		if err != nil {
			return err
		}
	}
}

func (s *rootWatch) polls() bool { return s.tree.folders[polled] > 0 || s.tree.share }

func (s *rootWatch) nextDue() (time.Time, bool) {
	at, ok := s.debounce.due()
	if s.polls() {
		if p := s.lastPoll.Add(s.pollPause); !ok || p.Before(at) {
			return p, true
		}
	}
	return at, ok
}

func (s *rootWatch) tick(now time.Time) error {
	if s.polls() && !now.Before(s.lastPoll.Add(s.pollPause)) {
		if err := s.poll(now); err != nil {
			return err
		}
	}
	if at, ok := s.debounce.due(); ok && !now.Before(at) {
		return s.flush(now)
	}
	return nil
}

// poll polls folders without a watch. It also checks the root, because its removal causes no event.
func (s *rootWatch) poll(now time.Time) error {
	if err := s.verifyRoot(); err != nil {
		return err
	}
	for _, c := range s.tree.poll(s.ctx) {
		s.handleChange(c.rel, c.op, now)
	}
	s.recordPoll(now, time.Since(now))
	s.reportStatus()
	return nil
}

func (s *rootWatch) recordPoll(began time.Time, took time.Duration) {
	s.lastPoll, s.pollPause = began.Add(took), jitter(min(max(pollInterval, pollDuty*took), maxPollInterval))
}

func (s *rootWatch) takeEvents() error {
	ops, overflow, err := s.queue.take()
	now := time.Now()
	if overflow {
		s.debounce.forceResync(CauseOverflow, now)
		s.rootSuspect = true
	}
	// Remove a moved folder's old path before adding its new path.
	for _, gone := range []bool{true, false} {
		for name, op := range ops {
			if gone == (op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename)) {
				s.handleEvent(name, op, now)
			}
		}
	}
	s.reportStatus()
	return err
}

func (s *rootWatch) handleEvent(name string, op fsnotify.Op, now time.Time) {
	if _, ok := s.tree.outside[name]; ok {
		s.debounce.ignoreFileChanged(now)
		return
	}
	rel, ok := s.tree.rel(name)
	if !ok {
		return
	}
	if s.tree.src.recursive {
		if op.Has(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) && s.tree.outsideBelow(name) {
			s.debounce.ignoreFileChanged(now)
		}
		if rel = s.tree.spelled(rel); s.tree.find(path.Dir(rel)) == nil {
			return // its folder is excluded or is being added
		}
	}
	s.handleChange(rel, op, now)
}

// handleChange handles a change. It checks the file on disk, because op may be outdated.
func (s *rootWatch) handleChange(rel string, op fsnotify.Op, now time.Time) {
	if rel == "." {
		if op&(fsnotify.Remove|fsnotify.Rename|fsnotify.Chmod) != 0 {
			s.rootSuspect = true
			s.debounce.extend(now)
		}
		return
	}
	fi, err := os.Lstat(s.tree.abs(rel))
	known := s.tree.find(rel)
	switch {
	case err == nil && fi.IsDir():
		s.folderChanged(rel, fi, known, op, now)
	case known != nil && (err == nil || isGone(err)):
		s.tree.remove(known)
		s.debounce.touch(rel, now)
	default:
		s.fileChanged(rel, err, op, now)
	}
}

func (s *rootWatch) folderChanged(rel string, fi fs.FileInfo, known *dir, op fsnotify.Op, now time.Time) {
	if op&(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) != 0 && s.policy.IsIgnoreFile(rel) {
		s.debounce.ignoreFileChanged(now) // a repository was created or removed
	}
	if reason := s.policy.Dir(rel); reason != "" {
		s.leftOut(rel, reason, op)
		switch {
		case known != nil:
			s.tree.remove(known)
			s.debounce.touch(rel, now)
		case op&(fsnotify.Remove|fsnotify.Rename) != 0 && s.policy.Path(rel) == "":
			s.debounce.touch(rel, now) // an excluded folder may have replaced a file
		}
		return
	}
	if known != nil {
		same := known.id == fileIDOf(fi) && !op.Has(fsnotify.Remove) && !op.Has(fsnotify.Rename)
		if same && known.state != unreadable {
			return // already added
		}
		s.tree.remove(known)
	}
	s.tree.add(s.ctx, rel)
	s.debounce.touch(rel, now)
}

func (s *rootWatch) fileChanged(rel string, err error, op fsnotify.Op, now time.Time) {
	if s.policy.IsIgnoreFile(rel) {
		s.debounce.ignoreFileChanged(now)
	}
	// The removed path may have been a folder.
	reason := s.policy.Path(rel)
	if reason == "" || (err != nil && reason == api.SkipNotInclude) {
		s.debounce.touch(rel, now)
		return
	}
	if err != nil {
		reason = ""
	}
	s.leftOut(rel, reason, op)
}

func (s *rootWatch) leftOut(rel string, reason api.Reason, op fsnotify.Op) {
	if s.w.opt.OnLeftOut != nil && op&(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) != 0 {
		s.w.opt.OnLeftOut(s.w.opt.Prefix+rel, reason)
	}
}

func (s *rootWatch) flush(now time.Time) error {
	if s.rootSuspect {
		s.rootSuspect = false
		if err := s.verifyRoot(); err != nil {
			return err
		}
	}
	if s.debounce.resync {
		s.policy.Refresh() // the lost event may concern an ignore file
		ruled := s.tree.onIgnoreFile
		s.tree.onIgnoreFile = func() {}
		s.tree.resync(s.ctx)
		s.tree.onIgnoreFile = ruled
	}
	b := s.debounce.take(now)
	b.Root = s.w.opt.Prefix
	for i, p := range b.Paths {
		b.Paths[i] = s.w.opt.Prefix + p
	}
	s.outgoing = s.outgoing.join(b)
	s.reportStatus()
	return nil
}

func (s *rootWatch) verifyRoot() error {
	id, err := s.w.rootID(s.id)
	if err != nil {
		return err
	}
	if id != s.id {
		return errRootReplaced
	}
	return nil
}

func (s *rootWatch) remounted() error {
	if err := s.verifyRoot(); err != nil {
		return err
	}
	if now := mountsBelow(s.policy.Root()); now != s.mounts {
		s.mounts = now
		s.debounce.forceResync(CauseMount, time.Now())
	}
	return nil
}

func (s *rootWatch) reportStatus() {
	st := Status{Active: true, Watched: s.tree.folders[watched], Polled: s.tree.folders[polled]}
	why := s.tree.exhausted
	switch {
	case st.Polled > 0 && why != nil:
		st.Note = fmt.Sprintf("%d of %d folders are not watched but checked every %s, because %s.",
			st.Polled, st.Polled+st.Watched, roundPause(s.pollPause), limitAdvice(why))
	case st.Polled > 0:
		st.Note = fmt.Sprintf("%d of %d folders can't be watched and are checked every %s.",
			st.Polled, st.Polled+st.Watched, roundPause(s.pollPause))
	case s.tree.share:
		st.Note = fmt.Sprintf("Changes by other computers on this network share are checked for every %s.",
			roundPause(s.pollPause))
	}
	s.w.report(st)
}

func roundPause(d time.Duration) time.Duration {
	if d < 12*time.Second {
		return pollInterval
	}
	return d.Round(10 * time.Second)
}
