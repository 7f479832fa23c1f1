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
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// fake is a source without notifications. Tests pass events to its queue.
type fake struct {
	queue *queue

	mu      sync.Mutex
	max     int // limit of watches; 0 means none
	watches map[string]bool
}

func newFake() *fake { return &fake{watches: map[string]bool{}} }

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

func (f *fake) Close() error { return nil }

func (f *fake) allow(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.max = n
}

func (f *fake) watched(dir string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.watches[dir]
}

// reported takes events from q until name has op, and returns the last events.
func reported(t *testing.T, q *queue, name string, op fsnotify.Op) map[string]fsnotify.Op {
	t.Helper()
	for range q.signal {
		ops, _, err := q.take()
		if must(t, err); ops[name].Has(op) {
			return ops
		}
	}
	return nil
}

func bubble(t *testing.T, p Policy, open func(*queue) sources) (*Watcher, <-chan Batch) {
	t.Helper()
	w := New(p, Options{open: open, mounts: func() (*mounts, error) { return nil, errors.New("none here") }})
	out := make(chan Batch)
	running(t, func(ctx context.Context) { w.Run(ctx, out) })
	return w, out
}

func always(f *fake) func(*queue) sources {
	return func(q *queue) sources {
		f.queue = q
		return sources{tree: f, outside: f}
	}
}

func started(t *testing.T, root string) (*fake, *Watcher, <-chan Batch) {
	t.Helper()
	f := newFake()
	w, out := bubble(t, newRules(root), always(f))
	<-out
	return f, w, out
}

func TestOverflowIsAnsweredByRescan(t *testing.T) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f, _, out := started(t, root)
		write(t, filepath.Join(root, "lost", "a.go"), "1")
		began := time.Now()
		f.queue.fail(fsnotify.ErrEventOverflow)
		b := <-out
		if !b.Rescan || b.Cause != CauseOverflow {
			t.Errorf("%+v", b)
		}
		wantEqual(t, time.Since(began), 500*time.Millisecond, "after")
		wantEqual(t, f.watched(filepath.Join(root, "lost")), true, "the lost folder is not watched")
	})
}

func TestFileReplacedByDeniedFolder(t *testing.T) {
	root := t.TempDir()
	at := filepath.Join(root, "node_modules")
	write(t, at, "a file")
	synctest.Test(t, func(t *testing.T) {
		f, _, out := started(t, root)
		must(t, os.Remove(at))
		write(t, filepath.Join(at, "i.js"), "1")
		f.queue.event(fsnotify.Event{Name: at, Op: fsnotify.Remove})
		f.queue.event(fsnotify.Event{Name: at, Op: fsnotify.Create})
		wantList(t, (<-out).Paths, []string{"node_modules"}, "paths")
		wantEqual(t, f.watched(at), false, "a denied folder is watched")
	})
}

func TestCoalescedEvents(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "old", "a.go"), "1")
	synctest.Test(t, func(t *testing.T) {
		f, _, out := started(t, root)
		write(t, filepath.Join(root, "new", "deep", "b.go"), "1")
		write(t, filepath.Join(root, "old", "a.go"), "22")
		must(t, os.RemoveAll(filepath.Join(root, "gone")))
		const everything = fsnotify.Create | fsnotify.Write | fsnotify.Remove | fsnotify.Rename | fsnotify.Chmod
		for _, name := range []string{"new", "old", "old/a.go", "gone", "gone/c.go"} {
			f.queue.event(fsnotify.Event{Name: filepath.Join(root, filepath.FromSlash(name)), Op: everything})
		}
		b := <-out
		for _, rel := range []string{"new/deep/b.go", "old/a.go", "gone/c.go"} {
			if !contains([]Batch{b}, rel) {
				t.Errorf("nothing of %s in %+v", rel, b)
			}
		}
		for rel, want := range map[string]bool{"old": true, "new": true, "new/deep": true, "gone": false} {
			wantEqual(t, f.watched(filepath.Join(root, filepath.FromSlash(rel))), want, "%s is watched", rel)
		}
	})
}

func TestQueueOverflow(t *testing.T) {
	q := newQueue(3)
	for i := range 5 {
		q.event(fsnotify.Event{Name: fmt.Sprint(i), Op: fsnotify.Write})
	}
	q.fail(errDead)
	ops, overflow, err := q.take()
	if len(ops) > 3 || !overflow || !errors.Is(err, errDead) {
		t.Errorf("%d paths kept, overflow %v, error %v", len(ops), overflow, err)
	}
}

func TestDeadSourceIsRestarted(t *testing.T) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f, w, out := started(t, root)
		for _, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			began := time.Now()
			f.queue.fail(errDead)
			synctest.Wait()
			if s := w.Status(); s.Active || !strings.Contains(s.Note, "will be retried") {
				t.Errorf("status of a dead watcher: %+v", s)
			}
			if b := <-out; !b.Rescan || b.Cause != CauseRestart {
				t.Errorf("%+v", b)
			}
			if took := time.Since(began); took < want-want/10 || took > want+want/10 {
				t.Errorf("restarted after %v, want about %v", took, want)
			}
		}
		if s := w.Status(); !s.Active {
			t.Errorf("status: %+v", s)
		}
	})
}

func TestIgnoreFileOutside(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, ".git", "info", "exclude"), "")
	write(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(root, ".git", "config"), "")
	rules := newRules(root)
	rules.outside = []string{filepath.Join(home, "ignore")}
	synctest.Test(t, func(t *testing.T) {
		tree, outside := newFake(), newFake()
		_, out := bubble(t, rules, func(q *queue) sources {
			outside.queue = q
			return sources{tree: tree, recursive: true, outside: outside}
		})
		<-out
		if len(tree.watches) != 1 || len(outside.watches) != 1 || !outside.watched(home) {
			t.Errorf("watched %v and %v", tree.watches, outside.watches)
		}
		for _, name := range []string{filepath.Join(home, "ignore"), filepath.Join(root, ".git", "info", "exclude")} {
			outside.queue.event(fsnotify.Event{Name: filepath.Join(home, "other"), Op: fsnotify.Write})
			outside.queue.event(fsnotify.Event{Name: name, Op: fsnotify.Write})
			if b := <-out; !b.Ignore || len(b.Paths) > 0 {
				t.Errorf("%+v", b)
			}
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
		w, out := bubble(t, newRules(root), always(f))
		<-out
		if s := w.Status(); s.Watched != 3 || s.Polled != 2 || !strings.HasPrefix(s.Note, "2 of 5 folders") {
			t.Fatalf("status: %+v", s)
		}
		var blind string
		for i := range 4 {
			if d := fmt.Sprintf("d%d", i); !f.watched(filepath.Join(root, d)) {
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
			wantList(t, b.Paths, []string{s.want}, "%s: %+v", s.name, b)
			if took := time.Since(began); took > 12*time.Second {
				t.Errorf("%s: after %v", s.name, took)
			}
		}
		// The limit is raised at the time of a change, which must not be lost between poll and watch.
		f.allow(0)
		write(t, name("d.go"), "1")
		wantList(t, (<-out).Paths, []string{blind + "/d.go"}, "while the limit was lifted: paths")
		if s := w.Status(); s.Polled != 0 || s.Watched != 5 || s.Note != "" {
			t.Errorf("status afterwards: %+v", s)
		}
	})
}

func TestPollingOnAShare(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "d", "a.go"), "1")
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		w, out := bubble(t, newRules(root), func(q *queue) sources {
			f.queue = q
			return sources{tree: f, outside: f, onShare: func(dir string) bool { return filepath.Base(dir) == "d" }}
		})
		<-out
		if s := w.Status(); s.Watched != 2 || s.Polled != 0 || !strings.Contains(s.Note, "network share") {
			t.Errorf("%+v", s)
		}
		for _, file := range []string{"d/a.go", "d/b.go"} { // changes by another computer cause no events
			began := time.Now()
			write(t, filepath.Join(root, file), "22")
			if b := <-out; !slices.Equal(b.Paths, []string{file}) || time.Since(began) > 12*time.Second {
				t.Errorf("%s: %+v after %v", file, b, time.Since(began))
			}
		}
		began := time.Now()
		write(t, filepath.Join(root, "d", "c.go"), "1")
		f.queue.event(fsnotify.Event{Name: filepath.Join(root, "d", "c.go"), Op: fsnotify.Create})
		if b := <-out; !slices.Equal(b.Paths, []string{"d/c.go"}) || time.Since(began) > time.Second {
			t.Errorf("a local change: %+v after %v", b, time.Since(began))
		}
	})
}

func TestSlowReaderGetsOneBatch(t *testing.T) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f, _, out := started(t, root)
		for i := range 5 {
			f.queue.event(fsnotify.Event{Name: filepath.Join(root, fmt.Sprintf("f%d.go", i)), Op: fsnotify.Write})
			<-time.After(time.Second) // in the bubble, so that each change causes a separate batch
		}
		wantEqual(t, len((<-out).Paths), 5, "paths")
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
