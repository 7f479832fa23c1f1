package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

type fake struct {
	events chan fsnotify.Event
	errs   chan error

	mu      sync.Mutex
	max     int // limit of watches; 0 means none
	watches map[string]bool
	closed  bool
}

func newFake() *fake {
	return &fake{events: make(chan fsnotify.Event), errs: make(chan error), watches: map[string]bool{}}
}

func (f *fake) Add(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.max > 0 && len(f.watches) >= f.max && !f.watches[dir] {
		return fmt.Errorf("add watch: %w", syscall.ENOSPC)
	}
	f.watches[dir] = true
	return nil
}

func (f *fake) Remove(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.watches, dir)
	return nil
}

func (f *fake) Events() <-chan fsnotify.Event { return f.events }
func (f *fake) Errors() <-chan error          { return f.errs }

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.closed = true
		close(f.events)
		close(f.errs)
	}
	return nil
}

func (f *fake) allow(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.max = n
}

func bubble(t *testing.T, root string, open func() (source, error)) (*Watcher, <-chan Batch) {
	t.Helper()
	w := New(newRules(root), Options{open: open, mounts: func() (*mounts, error) { return nil, errors.New("none here") }})
	ctx, cancel := context.WithCancel(t.Context())
	out := make(chan Batch)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := w.Run(ctx, out); err != nil {
			t.Errorf("Run: %v", err)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return w, out
}

func always(f *fake) func() (source, error) { return func() (source, error) { return f, nil } }

func TestOverflowIsAnsweredByRescan(t *testing.T) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		_, out := bubble(t, root, always(f))
		<-out
		// Comparing the tree finds a folder whose creation was lost.
		write(t, filepath.Join(root, "lost", "a.go"), "1")
		began := time.Now()
		f.errs <- fsnotify.ErrEventOverflow
		b := <-out
		if !b.Rescan || b.Cause != CauseOverflow {
			t.Errorf("%+v", b)
		}
		if took := time.Since(began); took != 500*time.Millisecond {
			t.Errorf("after %v", took)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if !f.watches[filepath.Join(root, "lost")] {
			t.Error("the lost folder is not watched")
		}
	})
}

func TestFileReplacedByDeniedFolder(t *testing.T) {
	root := t.TempDir()
	at := filepath.Join(root, "node_modules")
	write(t, at, "a file")
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		_, out := bubble(t, root, always(f))
		<-out
		must(t, os.Remove(at))
		write(t, filepath.Join(at, "i.js"), "1")
		f.events <- fsnotify.Event{Name: at, Op: fsnotify.Remove}
		f.events <- fsnotify.Event{Name: at, Op: fsnotify.Create}
		if b := <-out; !slices.Equal(b.Paths, []string{"node_modules"}) {
			t.Errorf("told %+v", b)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.watches[at] {
			t.Error("a denied folder is watched")
		}
	})
}

func TestCoalescedEvents(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "old", "a.go"), "1")
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		_, out := bubble(t, root, always(f))
		<-out
		write(t, filepath.Join(root, "new", "deep", "b.go"), "1")
		write(t, filepath.Join(root, "old", "a.go"), "22")
		must(t, os.RemoveAll(filepath.Join(root, "gone")))
		const everything = fsnotify.Create | fsnotify.Write | fsnotify.Remove | fsnotify.Rename | fsnotify.Chmod
		for _, name := range []string{"new", "old", "old/a.go", "gone", "gone/c.go"} {
			f.events <- fsnotify.Event{Name: filepath.Join(root, filepath.FromSlash(name)), Op: everything}
		}
		b := <-out
		for _, rel := range []string{"new/deep/b.go", "old/a.go", "gone/c.go"} {
			if !told([]Batch{b}, rel) {
				t.Errorf("nothing of %s in %+v", rel, b)
			}
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		for rel, want := range map[string]bool{"old": true, "new": true, "new/deep": true, "gone": false} {
			if got := f.watches[filepath.Join(root, filepath.FromSlash(rel))]; got != want {
				t.Errorf("%s is watched: %v", rel, got)
			}
		}
	})
}

func TestQueueOverflow(t *testing.T) {
	root := t.TempDir()
	f := newFake()
	q := newQueue(f, 3)
	for i := range 5 {
		f.events <- fsnotify.Event{Name: filepath.Join(root, fmt.Sprint(i)), Op: fsnotify.Write}
	}
	must(t, q.close())
	ops, overflow, err := q.take()
	if len(ops) > 3 || !overflow || !errors.Is(err, errDead) {
		t.Errorf("%d paths kept, overflow %v, error %v", len(ops), overflow, err)
	}
}

func TestDeadSourceIsRestarted(t *testing.T) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var now *fake
		opened := 0
		fails := map[int]bool{3: true} // the third attempt fails
		w, out := bubble(t, root, func() (source, error) {
			if opened++; fails[opened] {
				return nil, errors.New("no notifications today")
			}
			now = newFake()
			return now, nil
		})
		<-out
		var waits []time.Duration
		for i := range 3 {
			began := time.Now()
			switch i {
			case 0:
				_ = now.Close() // the library fails
			default:
				now.errs <- errors.New("read: bad file descriptor")
			}
			synctest.Wait()
			if s := w.Status(); s.Active || !strings.Contains(s.Note, "will be tried again") {
				t.Errorf("status of a dead watcher: %+v", s)
			}
			b := <-out
			if !b.Rescan || b.Cause != CauseRestart {
				t.Errorf("%+v", b)
			}
			waits = append(waits, time.Since(began))
		}
		// The waits are 1 s, 2 s, 4 s for the failed attempt, and 8 s, each with jitter.
		for i, want := range []time.Duration{time.Second, 6 * time.Second, 8 * time.Second} {
			if waits[i] < want-want/10 || waits[i] > want+want/10 {
				t.Errorf("restart %d after %v, want about %v", i, waits[i], want)
			}
		}
		if s := w.Status(); !s.Active {
			t.Errorf("status: %+v", s)
		}
	})
}

func TestPollingBeyondTheLimit(t *testing.T) {
	root := t.TempDir()
	for i := range 4 {
		write(t, filepath.Join(root, fmt.Sprintf("d%d", i), "a.go"), "1")
	}
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.max = 3
		w, out := bubble(t, root, always(f))
		<-out
		if s := w.Status(); s.Watched != 3 || s.Polled != 2 || !strings.HasPrefix(s.Note, "2 of 5 folders") {
			t.Fatalf("status: %+v", s)
		}
		var blind string
		for i := range 4 {
			if d := fmt.Sprintf("d%d", i); !f.watches[filepath.Join(root, d)] {
				blind = d
			}
		}
		name := func(n string) string { return filepath.Join(root, blind, n) }
		steps := []struct {
			name string
			do   func()
			want string
		}{
			{"edit", func() { write(t, name("a.go"), "22") }, blind + "/a.go"},
			{"create", func() { write(t, name("b.go"), "1") }, blind + "/b.go"},
			{"delete", func() { must(t, os.Remove(name("a.go"))) }, blind + "/a.go"},
			{"new folder", func() { write(t, name("n/m/c.go"), "1") }, blind + "/n"},
			{"in the new folder", func() { write(t, name("n/m/c.go"), "22") }, blind + "/n/m/c.go"},
			{"folder gone", func() { must(t, os.RemoveAll(name("n"))) }, blind + "/n"},
		}
		for _, s := range steps {
			began := time.Now()
			s.do()
			b := <-out
			if !slices.Equal(b.Paths, []string{s.want}) {
				t.Errorf("%s: %+v", s.name, b)
			}
			if took := time.Since(began); took > 12*time.Second {
				t.Errorf("%s: after %v", s.name, took)
			}
		}
		// The limit is raised at the time of a change, which must not be lost between poll and watch.
		f.allow(0)
		write(t, name("d.go"), "1")
		if b := <-out; !slices.Equal(b.Paths, []string{blind + "/d.go"}) {
			t.Errorf("while the limit was lifted: %+v", b)
		}
		if s := w.Status(); s.Polled != 0 || s.Watched != 5 || s.Note != "" {
			t.Errorf("status afterwards: %+v", s)
		}
	})
}

func TestNoInstances(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "d", "a.go"), "1")
	synctest.Test(t, func(t *testing.T) {
		var free atomic.Bool
		w, out := bubble(t, root, func() (source, error) {
			if !free.Load() {
				return nil, fmt.Errorf("couldn't initialize inotify: %w", syscall.EMFILE)
			}
			return newFake(), nil
		})
		<-out
		if s := w.Status(); !s.Active || s.Polled != 2 || s.Note == "" {
			t.Errorf("status: %+v", s)
		}
		write(t, filepath.Join(root, "d", "a.go"), "22")
		if b := <-out; !slices.Equal(b.Paths, []string{"d/a.go"}) {
			t.Errorf("%+v", b)
		}
		free.Store(true)
		if b := <-out; !b.Rescan || b.Cause != CauseRestart {
			t.Errorf("%+v", b)
		}
		if s := w.Status(); s.Watched != 2 || s.Polled != 0 || s.Note != "" {
			t.Errorf("status afterwards: %+v", s)
		}
	})
}

func TestSlowReaderGetsOneBatch(t *testing.T) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		_, out := bubble(t, root, always(f))
		<-out
		for i := range 5 {
			f.events <- fsnotify.Event{Name: filepath.Join(root, fmt.Sprintf("f%d.go", i)), Op: fsnotify.Write}
			<-time.After(time.Second) // in the bubble, so that each change causes a separate batch
		}
		if b := <-out; len(b.Paths) != 5 {
			t.Errorf("%+v", b)
		}
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
