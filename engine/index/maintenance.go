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

// idleAfter is the default of Options.Idle. It is longer than the usual time between two edits.
const idleAfter = 30 * time.Second

// maintain saves the store's journals. After the start and once a day, it also checks and repairs the store (RFC 5.6).
// Only Run's goroutine calls it.
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
			a.log.Warn("checkpoint failed", "err", err) // the journals keep the data
			return
		}
		a.checkpointed = last
	}
	a.purgeIdle(ctx, st)
}

// embedding reports whether vectors are being computed. Maintenance must wait for them.
func (a *Actor) embedding() bool {
	f := a.now()
	blocked := f.vectorErr != nil || f.shown.Waiting != "" || f.paused
	s := a.store.Load().Stats()
	return a.embeds() && !blocked && s.Vectors < s.Chunks
}

// reconcile compares the text, the vectors and the file hashes in st and repairs differences. It then indexes the files
// that the repair has removed.
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

// purgeEvery is the minimum time between two calls of Purge, which takes some seconds per 100 MB of text.
const purgeEvery = time.Hour

func (a *Actor) purgeIdle(ctx context.Context, st *store.Store) {
	if time.Since(a.purged) < purgeEvery || a.embedding() || a.now().shown.Waiting != "" || !st.NeedsPurge() {
		return
	}
	if err := a.purge(ctx, st); err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
		a.log.Warn("deleted text not purged", "err", err)
		a.reportDamage(err)
	}
}

// Purge erases deleted and replaced text from the disk.
func (a *Actor) Purge(ctx context.Context) error {
	return a.do(ctx, func(ctx context.Context) error { return a.purge(ctx, a.store.Load()) })
}

func (a *Actor) purge(ctx context.Context, st *store.Store) error {
	if err := a.checkFree(2*st.Stats().SizeBytes, true); err != nil {
		return err
	}
	began := time.Now()
	a.purged = began
	if err := st.Purge(ctx); err != nil {
		return err
	}
	a.wakeVectors() // compute the static vectors that Purge has removed
	a.log.Info("deleted text purged", "took", time.Since(began).Round(time.Millisecond))
	return nil
}

// compact merges the files of the vector tables. Only the goroutine that adds vectors calls it.
func (a *Actor) compact(ctx context.Context, st *store.Store) {
	if a.Paused() || !st.NeedsCompaction() {
		return
	}
	if err := a.checkFree(2*st.Stats().SizeBytes, true); err != nil {
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

// DiskPerByte is the estimated size of an index per byte of text. 1,000 bytes of text take 1,536 bytes in the vector
// table, 1,536 bytes in the vector cache and 1,000 bytes in the text index.
const DiskPerByte = 4

// checkFree returns DISK_FULL (RFC 6.2) if less than the reserve would remain free after writing size bytes. Once a job
// has begun, half of the reserve is enough.
func (a *Actor) checkFree(size int64, begun bool) error {
	reserve := disk.Reserve(size + a.Store().Stats().SizeBytes)
	if begun {
		reserve /= 2
	}
	have, err := a.opt.Free(a.opt.Dir)
	if err != nil {
		return fmt.Errorf("read free disk space: %w", err)
	}
	if have < reserve+size {
		return api.ErrDiskFull((reserve+size)>>20, have>>20, nil)
	}
	return nil
}

const maxDivisor = 32

func (a *Actor) divisor() int { return 1 << a.backoff.Load() }

// retryWithBackoff calls f. While f fails because memory has run out, it halves the concurrency and calls f again.
func (a *Actor) retryWithBackoff(f func() error) error {
	for {
		err := f()
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
