package index

import (
	"context"
	"errors"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/scan"
	"searchmcp/engine/store"
	"searchmcp/engine/watch"
)

// Update brings the index up to what a batch hints at and returns when its text is searchable. Paused, it waits; a pause that
// comes while it works has it commit what it has read, and the rest follows.
func (a *Actor) Update(ctx context.Context, b watch.Batch) error {
	for {
		if err := a.running(ctx); err != nil {
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
		if a.store.Load().Metadata().LastFullIndex.IsZero() && !a.hasJob() {
			return nil // no first index yet: the build will see these files
		}
		if b.Cause == watch.CauseDaily {
			a.examine.Store(true)
		}
		a.change(func(f *flags) { f.pending = max(f.pending, len(b.Paths)) })
		err := a.retrySmaller(func() error { return a.update(ctx, b) })
		if err == nil {
			a.change(func(f *flags) { f.pending, f.trouble = 0, nil })
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
	if errors.Is(err, scan.ErrRootGone) {
		a.setOffline(err)
		if len(tree.Roots()) == 1 {
			return nil
		}
	} else if err != nil {
		return fmt.Errorf("scan changes: %w", err)
	} else if whole || len(tree.Roots()) == 1 {
		a.clearOffline()
	}
	if n := len(changes.Changed) + len(changes.Removed); n > 0 {
		a.change(func(f *flags) { f.pending = n })
	}
	stats, err := a.commitChanges(ctx, st, changes, a.paused, func(string) {})
	if err != nil {
		return err
	}
	if whole {
		a.noteSkipped(changes.Report, stats)
	}
	if stats.files+stats.removed == 0 {
		return nil
	}
	return a.noteUpdate(st)
}

// compare scans what a batch is about.
func (a *Actor) compare(ctx context.Context, st *store.Store, b watch.Batch, whole bool) (scan.Changes, error) {
	tree := a.tree.Load()
	if !whole {
		return tree.Paths(ctx, known{st, a.skips, tree}, b.Paths)
	}
	a.skips.begin()
	changes, err := a.diff(ctx, tree, st, b.Full)
	if err == nil {
		a.skips.sweep()
	}
	return changes, err
}

// noteSkipped keeps what a scan of everything passed over.
func (a *Actor) noteSkipped(r scan.Report, stats textStats) {
	found := a.skips.counts()
	found[api.SkipUnreadable] += stats.skipped[api.SkipUnreadable]
	if found[api.SkipUnreadable] == 0 {
		delete(found, api.SkipUnreadable)
	}
	a.change(func(f *flags) {
		f.skipped = addSkipped(r.Skipped, found)
		f.unreadable = append(r.Unreadable, stats.unreadable...)
	})
}

// Fail notes that an update failed, for the snapshot; the next one that succeeds clears it.
func (a *Actor) Fail(err error) {
	a.change(func(f *flags) { f.trouble = asTrouble(err) })
	a.damaged(err)
}

// asTrouble gives an error of an update the form in which status shows it.
func asTrouble(err error) *api.Error {
	var e *api.Error
	if errors.As(err, &e) {
		return e
	}
	return api.New(api.Internal, "Some changes couldn't be indexed; they are tried again.", err.Error(), err)
}

// Wake makes the vector lane try again now: model or library may be back.
func (a *Actor) Wake() { a.wakeVectors() }

// Settle returns when the actor has done what it was given so far, or ctx ends.
func (a *Actor) Settle(ctx context.Context) {
	_ = a.do(ctx, func(context.Context) error { return nil }) // ending early is the caller's wish
}

func (a *Actor) hasJob() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flags.job != nil
}

// Pending notes how many files are known to have changed and wait for their turn (strategies lazy and git).
func (a *Actor) Pending(n int) { a.change(func(f *flags) { f.waiting = n }) }

// Watching notes what the watcher says of itself.
func (a *Actor) Watching(active bool, note string) {
	a.change(func(f *flags) { f.watching, f.watchNote = active, note })
}

// SetConfig puts a configuration into force and indexes exactly what it lets in or out.
func (a *Actor) SetConfig(ctx context.Context, roots []api.Root, c api.Config, warnings []string) error {
	tree, err := NewTree(roots, c)
	if err != nil {
		return err
	}
	a.tree.Store(tree)
	a.config.Store(&c)
	a.skips.clear()
	a.change(func(f *flags) { f.warnings, f.strategy = warnings, c.IndexingStrategy })
	if a.paused() {
		return nil // the rescan that follows the new watches waits for the end of the pause; whoever changes a setting doesn't
	}
	err = a.updateNow(ctx, watch.Batch{Rescan: true, Cause: watch.CausePolicy})
	if errors.Is(err, errPaused) {
		return nil
	}
	return err
}

// Paused reports whether the project is paused.
func (a *Actor) Paused() bool { return a.paused() }

// Warnings returns what is wrong with the configuration in force.
func (a *Actor) Warnings() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flags.warnings
}

// SetAlwaysAllow notes the person's standing answer for the snapshot.
func (a *Actor) SetAlwaysAllow(on bool) { a.change(func(f *flags) { f.always = on }) }
