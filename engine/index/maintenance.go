package index

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/store"
)

// idleAfter is the default of Idle. It is longer than a user's pauses between edits.
const idleAfter = 30 * time.Second

// maintain checkpoints the journals. After a start and each daily scan, it also compares and repairs the stores (RFC
// 5.6). Only Run's goroutine calls it.
func (a *Actor) maintain(ctx context.Context) {
	if a.Paused() {
		return
	}
	st := a.store.Load()
	if !a.embedding() && a.checkDue.CompareAndSwap(true, false) {
		if err := a.reconcile(ctx, st); errors.Is(err, errPaused) {
			a.checkDue.Store(true)
		} else if err != nil && ctx.Err() == nil {
			a.log.Error("stores not compared", "err", err)
			a.reportDamage(err)
		}
	}
	if last := st.Stats().LastCommit; last.After(a.checkpointed) {
		if err := st.Checkpoint(); err != nil {
			a.log.Warn("checkpoint failed", "err", err) // nothing is lost
			return
		}
		a.checkpointed = last
	}
	a.purgeIdle(ctx, st)
}

// embedding reports whether vectors are being computed. Maintenance then waits, because it would rewrite unfinished
// tables.
func (a *Actor) embedding() bool {
	f := a.now()
	blocked := f.vectorErr != nil || f.throttled != "" || f.paused
	s := a.store.Load().Stats()
	return a.embeds() && !blocked && s.Vectors < s.Chunks
}

// reconcile compares and repairs the stores. It then indexes the files whose fingerprints it removed.
func (a *Actor) reconcile(ctx context.Context, st *store.Store) error {
	report, err := st.Check(ctx)
	if err != nil {
		return fmt.Errorf("compare stores: %w", err)
	}
	if report.Clean() {
		return nil
	}
	for corpus, c := range report.Corpora {
		a.log.Warn("stores differ, repairing", "corpus", string(corpus), "files_without_rows", len(c.NoRows),
			"orphan_rows", c.OrphanRows, "orphan_vectors", c.OrphanVectors, "vectors", c.VectorProblem)
		if c.VectorProblem != "" {
			a.announceVectors(api.ErrIndexCorrupt(errors.New(c.VectorProblem)))
		}
	}
	if err := st.Repair(ctx, report); err != nil {
		return fmt.Errorf("repair stores: %w", err)
	}
	a.wakeVectors()
	return a.update(ctx, watch.Batch{Rescan: true, Cause: watch.CauseStart})
}

// purgeEvery is the minimum time between purges, which rewrite all text in some seconds per 100 MB.
const purgeEvery = time.Hour

func (a *Actor) purgeIdle(ctx context.Context, st *store.Store) {
	if time.Since(a.purged) < purgeEvery || a.embedding() || a.now().throttled != "" || !st.NeedsPurge() {
		return
	}
	if err := a.purge(ctx, st); err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
		a.log.Warn("deleted text not purged", "err", err)
		a.reportDamage(err)
	}
}

// Purge removes deleted and changed text from disk.
func (a *Actor) Purge(ctx context.Context) error {
	return a.do(ctx, func(ctx context.Context) error { return a.purge(ctx, a.store.Load()) })
}

func (a *Actor) purge(ctx context.Context, st *store.Store) error {
	if err := a.checkFree(2*st.Stats().SizeBytes, minFreeBytes); err != nil {
		return err
	}
	began := time.Now()
	a.purged = began
	if err := st.Purge(ctx); err != nil {
		return err
	}
	a.wakeVectors() // static vectors are computed again
	a.log.Info("deleted text purged", "took", time.Since(began).Round(time.Millisecond))
	return nil
}

// compact runs on the goroutine that adds vectors.
func (a *Actor) compact(ctx context.Context, st *store.Store) {
	if a.Paused() || !st.NeedsCompaction() {
		return
	}
	if err := a.checkFree(2*st.Stats().SizeBytes, minFreeBytes); err != nil {
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

// DiskPerByte is the estimated disk space per byte of text: rows, terms and chunks in the text index, and the
// 1,536-byte vector of each chunk of 1,000 bytes in the table and in the cache.
const DiskPerByte = 4

// Work stops if less than minFreeBytes would remain free, because bleve and LanceDB need disk space to merge.
const minFreeBytes = disk.ReserveBytes / 2

// checkFree returns DISK_FULL (RFC 6.2) if writing extra bytes would leave less than free bytes.
func (a *Actor) checkFree(extra, free int64) error {
	have, err := a.opt.Free(a.opt.Dir)
	if err != nil {
		return fmt.Errorf("read free disk space: %w", err)
	}
	if have < free+extra {
		return api.ErrDiskFull((free+extra)>>20, have>>20, nil)
	}
	return nil
}

const maxDivisor = 32

func (a *Actor) divisor() int { return 1 << a.backoff.Load() }

// retryWithBackoff calls work until it succeeds or fails for a reason other than memory. Each time memory runs out, it
// halves the concurrency, down to 1/maxDivisor.
func (a *Actor) retryWithBackoff(work func() error) error {
	for {
		err := work()
		if !errors.Is(err, syscall.ENOMEM) || a.divisor() >= maxDivisor {
			return err
		}
		a.backoff.Add(1)
		a.log.Warn("out of memory, retrying with less concurrency", "divisor", a.divisor(), "err", err)
	}
}

func (a *Actor) reduceBackoff() {
	if n := a.backoff.Load(); n > 0 {
		a.backoff.CompareAndSwap(n, n-1)
	}
}

func (a *Actor) reportDamage(err error) {
	if api.CodeOf(err) == api.IndexCorrupt {
		a.opt.OnDamage(err)
	}
}
