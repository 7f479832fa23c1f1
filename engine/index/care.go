package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/watch"
)

// idleAfter is how long nothing must have happened before an index is folded and examined: longer than the pauses of
// somebody who works, so that the writes of a session end in one fold.
const idleAfter = 30 * time.Second

// care is what the actor does for an index when nobody asks anything of it: fold journals and stamps, and, once after a start and
// after each daily pass, compare the stores with each other and repair them (RFC 5.6). Only the actor's goroutine calls it.
func (a *Actor) care(ctx context.Context) {
	if a.paused() {
		return
	}
	st := a.store.Load()
	if !a.filling() && a.examine.CompareAndSwap(true, false) {
		if err := a.agree(ctx, st); errors.Is(err, errPaused) {
			a.examine.Store(true)
		} else if err != nil && ctx.Err() == nil {
			a.log.Error("stores not compared", "err", err)
			a.damaged(err)
		}
	}
	if last := st.Stats().LastCommit; last.After(a.folded) {
		if err := st.Fold(); err != nil {
			a.log.Warn("index not folded", "err", err) // the journals say the same
			return
		}
		a.folded = last
	}
}

// filling reports whether vectors are being made. Until they are all there the stores differ by them, and comparing would read as much
// again as was just written.
func (a *Actor) filling() bool {
	a.mu.Lock()
	idle := a.flags.problem != nil || a.flags.resting != "" || a.flags.paused
	a.mu.Unlock()
	s := a.store.Load().Stats()
	return a.opt.Embedder != nil && !idle && s.Vectors < s.Chunks
}

// agree makes fingerprints, text index and vectors agree. What it takes out is indexed again at once.
func (a *Actor) agree(ctx context.Context, st *store.Store) error {
	report, err := st.Check(ctx)
	if err != nil {
		return fmt.Errorf("compare stores: %w", err)
	}
	if report.Clean() {
		return nil
	}
	for corpus, c := range report.Corpora {
		a.log.Warn("stores disagree and are repaired", "corpus", string(corpus), "files_without_rows", len(c.NoRows),
			"orphan_rows", c.OrphanRows, "orphan_vectors", c.OrphanVectors, "vectors", c.VectorProblem)
	}
	if err := st.Repair(ctx, report); err != nil {
		return fmt.Errorf("repair stores: %w", err)
	}
	a.wakeVectors()
	return a.update(ctx, watch.Batch{Rescan: true, Cause: watch.CauseStart})
}

// compact folds the fragments of the vector table when there are too many of them. It runs on the goroutine that adds vectors, so that
// nothing else waits for it.
func (a *Actor) compact(ctx context.Context, st *store.Store) {
	if a.paused() || !st.NeedsCompaction() {
		return
	}
	if err := a.room(2 * st.Stats().SizeBytes); err != nil {
		a.log.Warn("vectors not compacted", "err", err)
		return
	}
	began := time.Now()
	if err := st.Compact(ctx); err != nil {
		if ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
			a.log.Warn("vectors not compacted", "err", err)
		}
		return
	}
	a.log.Info("vectors compacted", "took", time.Since(began).Round(time.Millisecond))
}

// floorBytes is the free space at which work in progress stops, half of what a job wants to find before it begins: bleve and
// LanceDB write while they merge and must never meet the end of the disk.
const floorBytes = ReserveBytes / 2

// room fails with DISK_FULL unless extra bytes fit above the floor.
func (a *Actor) room(extra int64) error {
	free, err := a.free()
	if err != nil {
		return fmt.Errorf("ask for free disk space: %w", err)
	}
	if free < floorBytes+extra {
		return api.ErrDiskFull((floorBytes+extra)>>20, free>>20, nil)
	}
	return nil
}

func (a *Actor) free() (int64, error) {
	if a.opt.Free != nil {
		return a.opt.Free(a.opt.Dir)
	}
	return FreeBytes(a.opt.Dir)
}

// smallest is the least share of the usual work that is in flight when memory runs out again and again.
const smallest = 32

// share divides the work in flight: 1 is the usual, 2 half of it (RFC 10, out of memory).
func (a *Actor) share() int { return 1 << a.halvings.Load() }

// retrySmaller does work again with half of it in flight as long as memory runs out.
func (a *Actor) retrySmaller(work func() error) error {
	for {
		err := work()
		if !outOfMemory(err) || a.share() >= smallest {
			return err
		}
		a.halvings.Add(1)
		a.log.Warn("memory ran out, going on with less at once", "share", a.share(), "err", err)
	}
}

// relax doubles the work in flight again after all of it went well.
func (a *Actor) relax() {
	if n := a.halvings.Load(); n > 0 {
		a.halvings.CompareAndSwap(n, n-1)
	}
}

// outOfMemory recognises what the system, ONNX Runtime and LanceDB say when an allocation fails; the two libraries hand on text only.
func outOfMemory(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, syscall.ENOMEM) {
		return true
	}
	text := strings.ToLower(err.Error())
	for _, sign := range []string{"bad_alloc", "out of memory", "failed to allocate", "cannot allocate memory", "memory allocation of"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// damaged hands a read error of the stores to whoever owns the project, and leaves every other alone.
func (a *Actor) damaged(err error) {
	if a.opt.OnDamage != nil && api.CodeOf(err) == api.IndexCorrupt {
		a.opt.OnDamage(err)
	}
}
