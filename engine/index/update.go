package index

import (
	"context"
	"errors"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/watch"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/store"
)

// Update indexes what a batch of the watcher names and returns when its text is searchable. Paused, it waits; a pause
// in the middle has it commit what it has read and do the rest after Resume.
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

// updateNow is Update that a pause ends with errPaused.
func (a *Actor) updateNow(ctx context.Context, b watch.Batch) error {
	return a.do(ctx, func(ctx context.Context) error {
		if a.store.Load().Metadata().LastFullIndex.IsZero() && a.now().job == nil {
			return nil // no first index yet: its build will see these files
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

// update is Update on the actor's goroutine.
func (a *Actor) update(ctx context.Context, b watch.Batch) error {
	st, tree := a.store.Load(), a.tree.Load()
	whole := b.Rescan || b.Ignore || b.RootGone || b.Back
	if b.Ignore {
		tree.Refresh()
	}
	changes, err := a.compare(ctx, st, b, whole)
	switch {
	case err != nil && !errors.Is(err, scan.ErrRootGone):
		return fmt.Errorf("scan changes: %w", err)
	case whole || len(tree.Roots()) == 1:
		if a.noteGone(err) != nil {
			return nil
		}
	case err != nil: // one of several folders has just gone: a scan of everything follows
		a.rootGone()
	}
	if n := len(changes.Changed) + len(changes.Removed); n > 0 {
		a.change(func(f *status) { f.pending = n })
	}
	stats, err := a.commitChanges(ctx, st, changes, a.Paused, func(string) {})
	if err != nil {
		return err
	}
	a.change(func(f *status) { f.pending = 0 }) // a caller needn't be the watcher
	if whole {
		a.recordSkipped(changes.Report, stats)
	} else {
		a.omitted.some(tree, b.Paths, changes.Report, stats.unreadable)
		a.change(func(*status) {})
	}
	if stats.files+stats.removed == 0 {
		return nil
	}
	return a.recordUpdate(st, stats.files+stats.removed)
}

// compare scans what a batch of the watcher names.
func (a *Actor) compare(ctx context.Context, st *store.Store, b watch.Batch, whole bool) (scan.Changes, error) {
	tree := a.tree.Load()
	scanNo := a.skips.beginScan()
	if !whole {
		changes, err := tree.Paths(ctx, knownFiles{st, a.skips, tree, a.omitted.waits}, b.Paths)
		if err == nil {
			at := setOf(b.Paths)
			a.skips.endScan(scanNo, func(path string) bool { return tree.covers(at, path) })
		}
		return changes, err
	}
	changes, err := a.diff(ctx, tree, st, b.Full)
	if err == nil {
		a.skips.endScan(scanNo, nil)
	}
	return changes, err
}

// recordSkipped sets the skipped files in the snapshot after a scan of everything.
func (a *Actor) recordSkipped(r scan.Report, stats textStats) {
	a.omitted.whole(r, stats.unreadable)
	a.logLinks(r)
	a.change(func(f *status) { f.rules = a.tree.Load().Problems() })
}

// logLinks is the RFC's warning about symbolic links (5.2), once for each number of them.
func (a *Actor) logLinks(r scan.Report) {
	n := r.Skipped[api.SkipSymlink]
	if int(a.links.Swap(int32(n))) != n && n > 0 {
		a.log.Warn("symbolic links are not followed", "links", n, "first", r.Examples[api.SkipSymlink])
	}
}

// Recut reads the files again that no parser could be asked about.
func (a *Actor) Recut(ctx context.Context) error {
	if !a.omitted.anyWaits() {
		return nil
	}
	return a.Update(ctx, watch.Batch{Rescan: true, Cause: watch.CauseRestart})
}

// NoteSkipped tells that a path which rules leave out has appeared or, without a reason, has gone.
func (a *Actor) NoteSkipped(path string, reason api.Reason) {
	a.omitted.seen(a.tree.Load(), path, reason)
	a.change(func(*status) {})
}

// Partial says in words what of an indexed file is not indexed, "" if all is.
func (a *Actor) Partial(path string) string {
	p, _ := a.omitted.of(path)
	return p.InWords()
}

// SetUpdateError shows a failed update in the snapshot; the next one that succeeds clears it.
func (a *Actor) SetUpdateError(err error) {
	told := api.Known(disk.Error(err, a.opt.Dir), "Some changes couldn't be indexed; they are tried again.")
	a.change(func(f *status) { f.updateErr = told })
	a.reportDamage(err)
}

// Wake has the vector loop try again now, and a new snapshot made: model or library may be back.
func (a *Actor) Wake() {
	a.wakeVectors()
	a.publish()
}

// Settle returns when all requests made so far are done, or ctx ends.
func (a *Actor) Settle(ctx context.Context) {
	_ = a.do(ctx, func(context.Context) error { return nil }) // the only errors are ctx's and a closed project's
}

// SetPending sets how many changed files the strategy (lazy or git) holds back.
func (a *Actor) SetPending(n int) { a.change(func(f *status) { f.deferred = n }) }

// SetWatching sets the watcher's state.
func (a *Actor) SetWatching(active bool, note string) {
	a.change(func(f *status) { f.watching, f.watchNote = active, note })
}

// SetConfig applies a configuration and indexes or removes exactly the files whose rules changed.
func (a *Actor) SetConfig(ctx context.Context, roots []api.Root, c api.Config, warnings []string) error {
	tree, err := NewTree(roots, c)
	if err != nil {
		return err
	}
	a.tree.Store(tree)
	a.config.Store(&c)
	a.skips.clear()
	a.omitted.clear()
	a.change(func(f *status) { f.warnings, f.strategy = warnings, c.IndexingStrategy })
	if a.Paused() {
		return nil // the rescan after the new watches waits for Resume; the caller need not
	}
	err = a.updateNow(ctx, watch.Batch{Rescan: true, Cause: watch.CausePolicy})
	if errors.Is(err, errPaused) {
		return nil
	}
	return err
}

// SetProblem shows why no valid configuration is known, nil when one is. The caller pauses the project.
func (a *Actor) SetProblem(err *api.Error) { a.change(func(f *status) { f.configErr = err }) }

// Paused reports whether the project is paused.
func (a *Actor) Paused() bool { return a.now().paused }

// Warnings returns what is wrong with the configuration in force.
func (a *Actor) Warnings() []string { return a.now().warnings }

// SetAlwaysAllow sets the person's standing consent in the snapshot.
func (a *Actor) SetAlwaysAllow(on bool) { a.change(func(f *status) { f.alwaysAllow = on }) }
