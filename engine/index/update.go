package index

import (
	"context"
	"errors"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/disk"
)

// Update indexes the changes in b, and returns when searches can find their text. After a pause, it continues.
func (a *Actor) Update(ctx context.Context, b watch.Batch) error {
	for {
		if err := a.awaitResume(ctx); err != nil {
			return err
		}
		if err := a.updateNow(ctx, b); !errors.Is(err, errPaused) {
			return err
		}
	}
}

// updateNow is like Update, but returns errPaused if a pause interrupts it.
func (a *Actor) updateNow(ctx context.Context, b watch.Batch) error {
	return a.do(ctx, func(ctx context.Context) error {
		if b.Rescan || b.RootGone {
			a.compared.Store(true)
		}
		if a.store.Load().Metadata().LastFullIndex.IsZero() && a.now().job == nil {
			return nil
		}
		if b.Cause == watch.CauseDaily {
			a.checkDue.Store(true)
		}
		a.change(func(f *status) { f.pending = max(f.pending, len(b.Paths)) })
		err := a.retryWithBackoff(func() error { return a.update(ctx, b) })
		if err == nil {
			a.change(func(f *status) { f.pending, f.updateErr = 0, nil })
		}
		return err
	})
}

func (a *Actor) update(ctx context.Context, b watch.Batch) error {
	st, tree := a.store.Load(), a.tree.Load()
	whole := b.Rescan || b.Ignore || b.RootGone || b.Back
	if b.Ignore {
		tree.Refresh()
	}
	indexed := func() {}
	if whole {
		indexed = a.opt.OnScan()
	}
	scanNo := a.omitted.beginScan()
	var changes scan.Changes
	var err error
	if whole {
		changes, err = a.diff(ctx, tree, st, b.Full)
	} else {
		changes, err = tree.Paths(ctx, knownFiles{st, a.omitted, tree}, b.Paths)
	}
	switch {
	case err != nil && !errors.Is(err, scan.ErrRootGone):
		return fmt.Errorf("scan changes: %w", err)
	case whole || len(tree.Roots()) == 1:
		if a.noteGone(err) != nil {
			return nil
		}
	case err != nil: // a root is missing; OnRootGone causes a full scan
		a.opt.OnRootGone()
	}
	if n := len(changes.Changed) + len(changes.Removed); n > 0 {
		a.change(func(f *status) { f.pending = n })
	}
	stats, err := a.commitChanges(ctx, st, changes, a.Paused, func() {})
	if err != nil {
		return err
	}
	a.change(func(f *status) { f.pending = 0 })
	indexed()
	if whole {
		a.recordSkipped(scanNo, changes.Report, stats)
	} else {
		a.omitted.recordScan(scanNo, tree, b.Paths, changes.Report.Paths, stats.unreadable)
		a.change(func(*status) {})
	}
	if stats.files+stats.removed == 0 {
		return nil
	}
	return a.recordUpdate(st, stats.files+stats.removed)
}

func (a *Actor) recordSkipped(scanNo int, r scan.Report, stats textStats) {
	a.omitted.recordFullScan(scanNo, r, stats.unreadable)
	// RFC 5.2 requires a warning if symbolic links are skipped.
	if n := int32(r.Skipped[api.SkipSymlink]); a.links.Swap(n) != n && n > 0 {
		a.log.Warn("symbolic links are not followed", "links", n)
	}
	a.change(func(f *status) { f.rules = a.tree.Load().Problems() })
}

func (a *Actor) Rechunk(ctx context.Context) error {
	if !a.omitted.anyWaits() {
		return nil
	}
	return a.Update(ctx, watch.Batch{Rescan: true, Cause: watch.CauseRestart})
}

// NoteSkipped records why the new file at path is skipped. The reason api.SkipNone means that a skipped file was
// deleted.
func (a *Actor) NoteSkipped(path string, reason api.Reason) {
	found := map[string]api.Reason{path: reason}
	if reason == api.SkipNone {
		found = nil
	}
	a.omitted.recordScan(0, a.tree.Load(), []string{path}, found, nil)
	a.change(func(*status) {})
}

func (a *Actor) Partial(path string) string {
	p, _ := a.omitted.of(path)
	return p.InWords()
}

// SetUpdateError shows err to the user until the next successful update.
func (a *Actor) SetUpdateError(err error) {
	shown := api.Known(disk.Error(err, a.opt.Dir), "Some changes couldn't be indexed; this will be retried.")
	a.change(func(f *status) { f.updateErr = shown })
	a.reportDamage(err)
}

// Wake tries to compute missing vectors, because the model may have become available.
func (a *Actor) Wake() {
	a.wakeVectors()
	a.publish()
}

// Settle waits until earlier requests are done, or until ctx ends.
func (a *Actor) Settle(ctx context.Context) {
	_ = a.do(ctx, func(context.Context) error { return nil })
}

func (a *Actor) SetPending(n int) { a.change(func(f *status) { f.deferred = n }) }

func (a *Actor) SetWatching(active bool, note string) {
	a.change(func(f *status) { f.shown.WatcherActive, f.shown.WatcherNote = active, note })
}

// SetConfig applies changed roots and a changed configuration. Only affected files are indexed or removed.
func (a *Actor) SetConfig(ctx context.Context, roots []api.Root, c api.Config, warnings []string) error {
	tree, err := NewTree(roots, c)
	if err != nil {
		return err
	}
	a.tree.Store(tree)
	a.config.Store(&c)
	a.omitted.clear()
	a.change(func(f *status) { f.shown.Warnings, f.shown.Strategy = warnings, c.IndexingStrategy })
	if a.Paused() {
		return nil // Resume starts a scan
	}
	err = a.updateNow(ctx, watch.Batch{Rescan: true, Cause: watch.CausePolicy})
	if errors.Is(err, errPaused) {
		return nil
	}
	return err
}

func (a *Actor) SetProblem(err *api.Error) { a.change(func(f *status) { f.configErr = err }) }

func (a *Actor) Paused() bool { return a.now().paused }

func (a *Actor) Warnings() []string { return a.now().shown.Warnings }

func (a *Actor) SetAlwaysAllow(on bool) { a.change(func(f *status) { f.shown.AlwaysAllow = on }) }
