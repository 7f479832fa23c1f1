package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/policy"
	"searchmcp/engine/scan"
	"searchmcp/engine/store"
	"searchmcp/engine/watch"
)

// Update brings the index up to what a batch hints at and returns when its text is searchable. Paused, it waits.
func (a *Actor) Update(ctx context.Context, b watch.Batch) error {
	if err := a.running(ctx); err != nil {
		return err
	}
	return a.do(ctx, func(ctx context.Context) error {
		st, tree := a.store.Load(), a.tree.Load()
		if st.Metadata().LastFullIndex.IsZero() && !a.hasJob() {
			return nil // no first index yet: the build will see these files
		}
		var changes scan.Changes
		var err error
		if b.Ignore {
			tree.Refresh()
		}
		if b.Rescan || b.Ignore || b.RootGone {
			changes, err = tree.Diff(ctx, known{st}, b.Full)
		} else {
			changes, err = tree.Paths(ctx, known{st}, b.Paths)
		}
		if errors.Is(err, scan.ErrRootGone) {
			a.setOffline(err)
			if len(tree.Roots()) == 1 {
				return nil
			}
		} else if err != nil {
			return fmt.Errorf("scan changes: %w", err)
		} else {
			a.clearOffline()
		}
		if len(changes.Changed)+len(changes.Removed) == 0 {
			a.change(func(f *flags) { f.pending = 0 })
			return nil
		}
		a.change(func(f *flags) { f.pending = len(changes.Changed) + len(changes.Removed) })
		stats, err := a.commitChanges(ctx, st, changes, func(string) {})
		if err != nil {
			return err
		}
		a.change(func(f *flags) {
			f.pending = 0
			if b.Rescan {
				f.skipped = addSkipped(changes.Report.Skipped, stats.skipped)
			}
		})
		if stats.files+stats.removed == 0 {
			return nil
		}
		return a.noteUpdate(st)
	})
}

// Fail notes a failure of the stores for the snapshot; the next success of the vector lane or a rebuild clears it.
func (a *Actor) Fail(err error) { a.change(func(f *flags) { f.problem = asProblem(err) }) }

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
func (a *Actor) Pending(n int) { a.change(func(f *flags) { f.pending = n }) }

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
	a.change(func(f *flags) { f.warnings, f.strategy = warnings, c.IndexingStrategy })
	return a.Update(ctx, watch.Batch{Rescan: true, Cause: watch.CausePolicy})
}

// SetAlwaysAllow notes the person's standing answer for the snapshot.
func (a *Actor) SetAlwaysAllow(on bool) { a.change(func(f *flags) { f.always = on }) }

// known is a store as the scan sees it.
type known struct{ *store.Store }

func (k known) Stamp(path string) (policy.Stamp, time.Time, bool) {
	s, checked, ok := k.Store.Stamp(path)
	return policy.Stamp(s), checked, ok
}
