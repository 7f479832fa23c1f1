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

// Update indexes the paths of a watcher's batch and returns when their text is searchable. While the project is paused
// it waits. A pause interrupts a running Update until Resume, but the files already read are committed first.
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
		indexed = a.onScan()
	}
	changes, err := a.compare(ctx, st, b, whole)
	switch {
	case err != nil && !errors.Is(err, scan.ErrRootGone):
		return fmt.Errorf("scan changes: %w", err)
	case whole || len(tree.Roots()) == 1:
		if a.noteGone(err) != nil {
			return nil
		}
	case err != nil: // a root has just disappeared, so a full scan follows
		a.rootGone()
	}
	if n := len(changes.Changed) + len(changes.Removed); n > 0 {
		a.change(func(f *status) { f.pending = n })
	}
	stats, err := a.commitChanges(ctx, st, changes, a.Paused, func(string) {})
	if err != nil {
		return err
	}
	a.change(func(f *status) { f.pending = 0 }) // needed if the caller is not the watcher
	indexed()
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

// recordSkipped records the skipped files after a full scan.
func (a *Actor) recordSkipped(r scan.Report, stats textStats) {
	a.omitted.whole(r, stats.unreadable)
	a.logLinks(r)
	a.change(func(f *status) { f.rules = a.tree.Load().Problems() })
}

// logLinks logs the RFC's warning about symbolic links (5.2) when their number has changed.
func (a *Actor) logLinks(r scan.Report) {
	n := r.Skipped[api.SkipSymlink]
	if int(a.links.Swap(int32(n))) != n && n > 0 {
		a.log.Warn("symbolic links are not followed", "links", n, "first", r.Examples[api.SkipSymlink])
	}
}

// Recut reads the files again that could not be parsed.
func (a *Actor) Recut(ctx context.Context) error {
	if !a.omitted.anyWaits() {
		return nil
	}
	return a.Update(ctx, watch.Batch{Rescan: true, Cause: watch.CauseRestart})
}

// NoteSkipped records that a path excluded by rules has appeared or, with an empty reason, disappeared.
func (a *Actor) NoteSkipped(path string, reason api.Reason) {
	found := scan.Report{Paths: map[string]api.Reason{path: reason}}
	if reason == api.SkipNone {
		clear(found.Paths)
	}
	a.omitted.some(a.tree.Load(), []string{path}, found, nil)
	a.change(func(*status) {})
}

// Partial describes the part of an indexed file that is not indexed, or returns "".
func (a *Actor) Partial(path string) string {
	p, _ := a.omitted.of(path)
	return p.InWords()
}

// SetUpdateError shows a failed update in the snapshot until the next successful update.
func (a *Actor) SetUpdateError(err error) {
	shown := api.Known(disk.Error(err, a.opt.Dir), "Some changes couldn't be indexed; they are tried again.")
	a.change(func(f *status) { f.updateErr = shown })
	a.reportDamage(err)
}

// Wake publishes a new snapshot and makes the vector loop retry, after the model or the library has become available.
func (a *Actor) Wake() {
	a.wakeVectors()
	a.publish()
}

// Settle waits until all earlier requests are done or ctx ends.
func (a *Actor) Settle(ctx context.Context) {
	_ = a.do(ctx, func(context.Context) error { return nil }) // only ctx's errors and ErrClosed
}

// SetPending sets the number of changed files that the lazy or git strategy defers.
func (a *Actor) SetPending(n int) { a.change(func(f *status) { f.deferred = n }) }

// SetWatching sets the watcher's state.
func (a *Actor) SetWatching(active bool, note string) {
	a.change(func(f *status) { f.watching, f.watchNote = active, note })
}

// SetConfig applies a configuration. It indexes or removes exactly the files whose rules changed.
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
		return nil // the rescan waits for Resume
	}
	err = a.updateNow(ctx, watch.Batch{Rescan: true, Cause: watch.CausePolicy})
	if errors.Is(err, errPaused) {
		return nil
	}
	return err
}

// SetProblem sets the reason why no valid configuration is known, or nil. The caller pauses the project.
func (a *Actor) SetProblem(err *api.Error) { a.change(func(f *status) { f.configErr = err }) }

// Paused reports whether the project is paused.
func (a *Actor) Paused() bool { return a.now().paused }

// Warnings returns the faults of the current configuration.
func (a *Actor) Warnings() []string { return a.now().warnings }

// SetAlwaysAllow sets the user's permanent approval in the snapshot.
func (a *Actor) SetAlwaysAllow(on bool) { a.change(func(f *status) { f.alwaysAllow = on }) }
