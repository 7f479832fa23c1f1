package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/api"
)

type memory struct {
	mu    sync.Mutex
	paths []string
	saves int
	err   error
}

func (m *memory) Load() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.paths), m.err
}

func (m *memory) Save(paths []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paths = slices.Clone(paths)
	m.saves++
	return m.err
}

func (m *memory) kept() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.paths)
}

type desk struct {
	t    *testing.T
	o    *Orchestrator
	in   chan Batch
	out  chan Batch
	stop func()
}

func orchestrate(t *testing.T, o OrchestratorOptions) *desk {
	t.Helper()
	return orchestrateInto(t, o, make(chan Batch))
}

func orchestrateInto(t *testing.T, o OrchestratorOptions, out chan Batch) *desk {
	t.Helper()
	if o.sleptFor == nil {
		o.sleptFor, o.Last = awake, time.Now()
	}
	or := NewOrchestrator(o)
	d := &desk{t: t, o: or, in: make(chan Batch), out: out}
	d.stop = running(t, func(ctx context.Context) { or.Run(ctx, d.in, d.out) })
	return d
}

// running calls run in a goroutine until stop is called or the test ends.
func running(t testing.TB, run func(context.Context)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func changed(paths ...string) Batch { return Batch{Paths: paths, Cause: CauseChange} }

func (d *desk) nothing(within time.Duration) {
	d.t.Helper()
	select {
	case b := <-d.out:
		d.t.Errorf("handed on: %+v", b)
	case <-time.After(within):
	}
}

func (d *desk) paths(cause Cause, want ...string) {
	d.t.Helper()
	if b := <-d.out; !slices.Equal(b.Paths, want) || b.Cause != cause || b.Rescan {
		d.t.Errorf("handed on %+v, want %q for %d", b, want, cause)
	}
}

// pending checks the number of pending paths while all goroutines are blocked.
func (d *desk) pending(want int) {
	d.t.Helper()
	if synctest.Wait(); d.o.Stats().Pending != want {
		d.t.Errorf("%+v, want %d pending", d.o.Stats(), want)
	}
}

func (d *desk) searching() (done chan error) {
	done = make(chan error, 1)
	go func() { done <- d.o.BeforeSearch(d.t.Context()) }()
	return done
}

func TestRealtime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Realtime})
		began := time.Now()
		d.in <- changed("a")
		d.paths(CauseChange, "a")
		wantEqual(t, time.Since(began), 0, "not at once")
		d.in <- changed("b")
		d.in <- changed("a", "c")
		d.paths(CauseChange, "a", "b", "c")
		d.pending(0)
	})
}

func TestLazy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Lazy})
		for _, p := range []string{"a", "b", "a"} {
			d.in <- changed(p)
			d.nothing(29 * time.Second)
		}
		d.pending(2)
		began := time.Now()
		d.paths(CauseIdle, "a", "b")
		wantEqual(t, time.Since(began), time.Second, "since")
		d.nothing(time.Hour)

		// A search does not wait for the idle time.
		d.in <- changed("c")
		synctest.Wait()
		done := d.searching()
		synctest.Wait()
		wantEqual(t, len(done), 0, "the search did not wait: done")
		d.paths(CauseFlush, "c")
		must(t, <-done)
		must(t, d.o.BeforeSearch(t.Context())) // nothing to release
	})
}

func TestLazyIsNotDelayed(t *testing.T) {
	for _, b := range []Batch{
		{Rescan: true, Cause: CauseStart}, {Rescan: true, Full: true, Cause: CauseDaily}, {Rescan: true, Cause: CauseWake},
		{Rescan: true, Cause: CauseRestart}, {Paths: []string{".gitignore"}, Ignore: true, Cause: CausePolicy},
		{RootGone: true, Cause: CauseRoot}, {Back: true, Rescan: true, Cause: CauseRoot},
	} {
		t.Run(fmt.Sprint(b.Cause), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := orchestrate(t, OrchestratorOptions{Strategy: api.Lazy})
				d.in <- b
				began := time.Now()
				wantEqual(t, fmt.Sprint(<-d.out), fmt.Sprint(b), "result")
				wantEqual(t, time.Since(began), 0, "since")
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Lazy})
		d.in <- Batch{Rescan: true, Cause: CauseOverflow}
		d.nothing(29 * time.Second)
		if b := <-d.out; !b.Rescan {
			t.Errorf("%+v", b)
		}
	})
}

func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Realtime, Paused: true})
		d.in <- changed("b")
		d.in <- changed("a")
		d.nothing(time.Hour)
		d.pending(2)
		must(t, d.o.BeforeSearch(t.Context()))
		d.in <- Batch{RootGone: true, Cause: CauseRoot}
		if b := <-d.out; !b.RootGone {
			t.Errorf("%+v", b)
		}
		d.o.SetPaused(false)
		d.paths(CauseChange, "a", "b")
	})
}

func TestPauseWithSearchWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Lazy})
		d.in <- changed("a")
		synctest.Wait()
		done := d.searching()
		synctest.Wait()
		d.o.SetPaused(true)
		must(t, <-done) // waiting for Resume would block all searches
		d.nothing(time.Hour)
		d.o.SetPaused(false)
		d.paths(CauseFlush, "a")
	})
}

func TestChangeOfStrategyLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		d := orchestrate(t, OrchestratorOptions{Root: t.TempDir(), Strategy: api.Git, Dirty: m})
		d.in <- changed("a")
		synctest.Wait()
		d.stop()
		d = orchestrate(t, OrchestratorOptions{Strategy: api.Lazy, Idle: time.Minute, Dirty: m})
		d.in <- changed("b")
		d.nothing(59 * time.Second)
		d.stop()
		d = orchestrate(t, OrchestratorOptions{Strategy: api.Realtime, Dirty: m})
		d.paths(CauseResume, "a", "b")
		d.in <- changed("d")
		d.paths(CauseChange, "d")
		d.pending(0)
	})
}

func TestDirtyFilesSurvive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Lazy, Dirty: m})
		for i := range 10 {
			d.in <- changed(fmt.Sprintf("f%d", i))
		}
		<-time.After(saveEvery) // in the bubble, so that the set is on disk, as after a kill
		synctest.Wait()
		wantEqual(t, len(m.kept()), 10, "kept")
		wantEqual(t, m.saves, 1, "saves")
		d.stop()

		d = orchestrate(t, OrchestratorOptions{Strategy: api.Lazy, Dirty: m})
		d.pending(10)
		wantEqual(t, len((<-d.out).Paths), 10, "paths")
		d.in <- Batch{Rescan: true, Cause: CauseOverflow}
		synctest.Wait()
		d.stop()
		wantList(t, m.kept(), []string{"."}, "kept")

		m.err = errors.New("no space left")
		d = orchestrate(t, OrchestratorOptions{Strategy: api.Realtime, Dirty: m})
		if b := <-d.out; !b.Rescan {
			t.Errorf("after a set that can't be read: %+v", b)
		}
		d.stop()
	})
}

func TestSearchAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Lazy})
		d.in <- changed("a")
		synctest.Wait()
		d.stop()
		if err := d.o.BeforeSearch(context.Background()); !errors.Is(err, ErrStopped) {
			t.Errorf("%v", err)
		}
	})
}

func TestTooManyDirtyFiles(t *testing.T) {
	m := newMachine(api.Lazy, time.Minute, time.Hour)
	for i := range maxDirty + 1 {
		m.add(changed(fmt.Sprint(i)), time.Now())
	}
	if b := m.dirty(); !b.Rescan || b.Paths != nil {
		t.Errorf("%d paths, rescan %v", len(b.Paths), b.Rescan)
	}
}

func TestChangesAreCountedBesideARescan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Realtime, Paused: true})
		d.in <- changed("a")
		d.in <- Batch{Rescan: true, Cause: CauseOverflow}
		d.in <- changed("a", "b")
		synctest.Wait()
		if s := d.o.Stats(); s.Pending != 2 || !s.Whole {
			t.Errorf("%+v", s)
		}
		d.o.SetPaused(false)
		if b := <-d.out; !b.Rescan || b.Paths != nil {
			t.Errorf("%+v", b)
		}
		d.stop()
	})
}

func TestMark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		d := orchestrate(t, OrchestratorOptions{Root: t.TempDir(), Strategy: api.Lazy, Dirty: m})
		d.in <- changed("a", "b")
		indexed := d.o.Mark()
		d.in <- changed("b", "c")
		indexed()
		d.pending(2)
		d.paths(CauseIdle, "b", "c")
		d.in <- changed("d")
		indexed = d.o.Mark()
		indexed()
		d.nothing(time.Hour)
		d.stop()
		d.o.Mark()()
		wantEqual(t, len(m.kept()), 0, "kept %q", m.kept())
	})
}

func TestOnStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var notified []int
		d := orchestrate(t, OrchestratorOptions{Strategy: api.Lazy,
			OnStats: func(s Stats) { notified = append(notified, s.Pending) }})
		d.in <- changed("a", "b")
		d.paths(CauseIdle, "a", "b")
		d.stop()
		wantList(t, notified, []int{0, 2, 0}, "pending")
	})
}
