package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"

	"searchmcp/engine/api"
)

// session is the life of one source on one root folder. It belongs to Run's goroutine.
type session struct {
	w      *Watcher
	ctx    context.Context
	policy Policy
	tree   *tree
	queue  *queue // nil: the system gives no source, everything is polled
	pend   *pending
	ready  Batch // waits for the reader; later ones are joined to it
	id     ident // of the root
	mounts string
	doubt  bool // the root must be looked at when the batch is closed
	looked time.Time
	took   time.Duration // of the latest round of polling
	pause  time.Duration // from it to the next
	opened error         // why there is no source
}

// session watches until ctx ends (nil), the root goes, or the source dies.
func (w *Watcher) session(ctx context.Context, out chan<- Batch, cause Cause, id ident) (err error) {
	policy, _ := w.currentPolicy()
	s := &session{w: w, ctx: ctx, policy: policy, pend: newPending(w.opt.limits), id: id, mounts: mountsBelow(policy.Root())}
	src, err := w.opt.open()
	switch {
	case err == nil:
		s.queue = newQueue(src, w.opt.limits.most)
		defer func() {
			if cerr := s.queue.close(); cerr != nil && err == nil {
				err = cerr
			}
		}()
	case exhausted(err):
		s.opened = err
	default:
		return err
	}
	m, err := w.opt.mounts()
	if err != nil {
		w.log.Debug("Mounts can't be watched", "error", err)
		m = &mounts{}
	} else {
		defer m.close()
	}
	s.tree = newTree(policy, src, w.opt.MaxWatches, w.log)
	s.tree.moved = func(rel string) { s.pend.touch(rel, time.Now()) }
	s.tree.extra = w.opt.IgnoreFiles
	refresh(policy)
	s.tree.grow(ctx, ".")
	// What policy learned of a folder just before its watch stood may be out of date.
	refresh(policy)
	s.tree.ruled = func() { s.pend.ignoring(time.Now()) }
	if s.tree.top.how == unseen || s.tree.top.how == closed {
		return errRootGone
	}
	s.polled(time.Now(), 0)
	s.status()
	s.ready = Batch{Root: w.opt.Prefix, Rescan: true, Back: cause == CauseRoot, Cause: cause}
	return s.loop(out, m.changed)
}

func (s *session) loop(out chan<- Batch, remount <-chan struct{}) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var signal chan struct{}
	if s.queue != nil {
		signal = s.queue.signal
	}
	for {
		var send chan<- Batch
		if !s.ready.Empty() {
			send = out
		}
		var due <-chan time.Time
		if at, ok := s.next(); ok {
			timer.Reset(time.Until(at))
			due = timer.C
		} else {
			timer.Stop()
		}
		var err error
		select {
		case <-s.ctx.Done():
			return nil
		case send <- s.ready:
			s.ready = Batch{}
		case <-signal:
			err = s.events()
		case <-due:
			err = s.tick(time.Now())
		case <-remount:
			err = s.remounted()
		case <-s.w.check:
			err = s.checked()
		}
		if err != nil {
			return err
		}
	}
}

// next is when something is to be done without being told.
func (s *session) next() (time.Time, bool) {
	at, ok := s.pend.due()
	if s.tree.polled > 0 {
		if p := s.looked.Add(s.pause); !ok || p.Before(at) {
			return p, true
		}
	}
	return at, ok
}

func (s *session) tick(now time.Time) error {
	if s.tree.polled > 0 && !now.Before(s.looked.Add(s.pause)) {
		if err := s.poll(now); err != nil {
			return err
		}
	}
	if at, ok := s.pend.due(); ok && !now.Before(at) {
		return s.close(now)
	}
	return nil
}

// poll looks at the folders without a watch, and at the root, whose removal nobody would tell.
func (s *session) poll(now time.Time) error {
	if s.queue == nil {
		src, err := s.w.opt.open()
		if err == nil {
			if err := src.Close(); err != nil {
				return fmt.Errorf("close file notifications: %w", err)
			}
			return errReopen
		}
	}
	if err := s.verifyRoot(); err != nil {
		return err
	}
	for _, c := range s.tree.poll(s.ctx) {
		s.handle(c.rel, c.op, now)
	}
	s.polled(now, time.Since(now))
	s.status()
	return nil
}

func (s *session) polled(began time.Time, took time.Duration) {
	s.looked, s.took, s.pause = began.Add(took), took, pollPause(took)
}

// events takes what the source told.
func (s *session) events() error {
	ops, overflow, err := s.queue.take()
	now := time.Now()
	if overflow {
		s.pend.doubt(CauseOverflow, now)
		s.doubt = true
	}
	for name, op := range ops {
		// Removals first: a moved folder's old watches must be gone before its new place is entered.
		if op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename) {
			s.event(name, op, now)
		}
	}
	for name, op := range ops {
		if !op.Has(fsnotify.Remove) && !op.Has(fsnotify.Rename) {
			s.event(name, op, now)
		}
	}
	s.status()
	return err
}

func (s *session) event(name string, op fsnotify.Op, now time.Time) {
	if _, ok := s.tree.side[name]; ok {
		s.pend.ignoring(now)
		return
	}
	rel, ok := s.tree.rel(name)
	if !ok {
		return // a neighbour of an ignore file outside the root
	}
	s.handle(rel, op, now)
}

// handle takes one change. What happened is taken from the disk, not from op: by now more may have happened.
func (s *session) handle(rel string, op fsnotify.Op, now time.Time) {
	if rel == "." {
		if op&(fsnotify.Remove|fsnotify.Rename|fsnotify.Chmod) != 0 {
			s.doubt = true
			s.pend.extend(now)
		}
		return
	}
	fi, err := os.Lstat(s.tree.abs(rel))
	known := s.tree.find(rel)
	switch {
	case err == nil && fi.IsDir():
		s.folder(rel, fi, known, op, now)
	case known != nil && (err == nil || isGone(err)):
		s.tree.drop(known)
		s.pend.touch(rel, now)
	default:
		s.file(rel, fi, err, op, now)
	}
}

func (s *session) folder(rel string, fi fs.FileInfo, known *dir, op fsnotify.Op, now time.Time) {
	if op&(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) != 0 && s.policy.IsIgnoreFile(rel) {
		s.pend.ignoring(now) // a repository begins or ends
	}
	if s.policy.Dir(rel) != "" {
		switch {
		case known != nil:
			s.tree.drop(known)
			s.pend.touch(rel, now)
		case op&(fsnotify.Remove|fsnotify.Rename) != 0 && s.policy.Path(rel) == "":
			s.pend.touch(rel, now) // a file of this name may have made room for the folder
		}
		return
	}
	if known != nil {
		same := known.id == identOf(fi) && !op.Has(fsnotify.Remove) && !op.Has(fsnotify.Rename)
		if same && known.how != closed {
			return // found by our own walk already, or only its attributes changed
		}
		s.tree.drop(known)
	}
	s.tree.grow(s.ctx, rel)
	s.pend.touch(rel, now)
}

// file takes a change of what is no folder: a file, a link, something gone, or something that can't be looked at.
func (s *session) file(rel string, fi fs.FileInfo, err error, op fsnotify.Op, now time.Time) {
	if err == nil && fi.Mode().IsRegular() {
		changed := s.tree.see(rel, fi)
		if op == fsnotify.Chmod && !changed {
			return // a mode, a time, a link count: nothing that a search could show
		}
	} else {
		delete(s.tree.blind, rel)
	}
	if s.policy.IsIgnoreFile(rel) {
		s.pend.ignoring(now)
	}
	// What is gone may have been a folder, and folders need not match include.
	if reason := s.policy.Path(rel); reason == "" || (err != nil && reason == api.SkipNotInclude) {
		s.pend.touch(rel, now)
	}
}

// close ends the forming batch and makes it ready.
func (s *session) close(now time.Time) error {
	if s.doubt {
		s.doubt = false
		if err := s.verifyRoot(); err != nil {
			return err
		}
	}
	if s.pend.rewalk {
		refresh(s.policy) // among what was lost may be an ignore file
		ruled := s.tree.ruled
		s.tree.ruled = func() {} // the batch says so already, or its rescan finds out
		s.tree.rewalk(s.ctx)
		s.tree.ruled = ruled
	}
	b := s.pend.take(now)
	b.Root = s.w.opt.Prefix
	for i, p := range b.Paths {
		b.Paths[i] = s.w.opt.Prefix + p
	}
	s.ready = s.ready.join(b)
	s.status()
	return nil
}

func refresh(p Policy) {
	if r, ok := p.(interface{ Refresh() }); ok {
		r.Refresh()
	}
}

// verifyRoot says that the root is no longer the folder whose tree is watched.
func (s *session) verifyRoot() error {
	id, err := s.w.root(s.id)
	if err != nil {
		return err
	}
	if id != s.id {
		return errRootReplaced
	}
	return nil
}

// remounted compares the mounts: those at and below the root matter.
func (s *session) remounted() error {
	if err := s.verifyRoot(); err != nil {
		return err
	}
	if now := mountsBelow(s.policy.Root()); now != s.mounts {
		s.mounts = now
		s.pend.doubt(CauseMount, time.Now())
	}
	return nil
}

// checked does what SetPolicy and Check ask for.
func (s *session) checked() error {
	if p, changed := s.w.currentPolicy(); changed {
		s.policy, s.tree.policy = p, p
		s.pend.doubt(CausePolicy, time.Now())
	}
	return s.verifyRoot()
}

func (s *session) status() {
	st := Status{Active: true, Watched: s.tree.watched, Polled: s.tree.polled}
	why := s.tree.exhausted
	if s.opened != nil {
		why = s.opened
	}
	switch {
	case st.Polled > 0 && why != nil:
		st.Note = fmt.Sprintf("%d of %d folders are not watched but looked at every %s, because %s.",
			st.Polled, st.Polled+st.Watched, roughly(s.pause), remedy(why))
	case st.Polled > 0:
		st.Note = fmt.Sprintf("%d of %d folders can't be watched and are looked at every %s.",
			st.Polled, st.Polled+st.Watched, roughly(s.pause))
	}
	s.w.report(st)
}

// roughly is a pause without its jitter, for people.
func roughly(d time.Duration) time.Duration {
	if d < 12*time.Second {
		return pollEvery
	}
	return d.Round(10 * time.Second)
}
