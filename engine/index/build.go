package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/store"
)

// Build indexes the differences between the project's folders and the index. It returns when all chunks have vectors,
// or when vectors can't be computed at present. If ctx ends, the committed files remain in the index.
func (a *Actor) Build(ctx context.Context, j *jobs.Job) (api.IndexStats, error) {
	a.change(func(f *status) { f.job = j })
	defer a.change(func(f *status) { f.job = nil })
	// A first build that continues after a pause skips the files that are already indexed.
	full := a.store.Load().Stats().Files > 0
	err := a.runPausable(ctx, j, func() error {
		return a.do(ctx, func(ctx context.Context) error {
			st, indexed := a.store.Load(), a.opt.OnScan()
			if err := a.retryWithBackoff(func() error { return a.syncFolders(ctx, st, j, full) }); err != nil {
				return err
			}
			indexed()
			if err := a.recordFullIndex(st); err != nil {
				return err
			}
			left := a.embedding()
			a.change(func(f *status) {
				f.building, f.updateErr = false, nil
				// If vectors are missing, the repair ends after they have been computed.
				if !left {
					f.repairErr = nil
				}
			})
			return nil
		})
	})
	if err != nil {
		a.reportDamage(err)
		return a.indexStats(), err
	}
	return a.FinishVectors(ctx, j)
}

func (a *Actor) FinishVectors(ctx context.Context, j *jobs.Job) (api.IndexStats, error) {
	a.change(func(f *status) { f.job = j })
	defer a.change(func(f *status) { f.job = nil })
	a.wakeVectors()
	err := a.awaitVectors(ctx, j)
	return a.indexStats(), err
}

// runPausable calls f, and calls f again after each pause that interrupts it.
func (a *Actor) runPausable(ctx context.Context, j *jobs.Job, f func() error) error {
	for {
		if a.Paused() {
			j.Update(func(p *api.Progress) { p.Phase = api.PhasePaused })
		}
		if err := a.awaitResume(ctx); err != nil {
			return err
		}
		j.Update(func(p *api.Progress) { p.Phase = api.PhaseWaiting })
		if a.opt.Heavy.Acquire(ctx, 1) != nil {
			return context.Cause(ctx)
		}
		err := f()
		a.opt.Heavy.Release(1)
		if !errors.Is(err, errPaused) {
			return err
		}
	}
}

// Rebuild builds a new index next to the current one, and replaces the current index when the new one is complete.
// Meanwhile, searches use the current index. After a cancellation or crash, the current index remains.
func (a *Actor) Rebuild(ctx context.Context, j *jobs.Job) (stats api.IndexStats, err error) {
	a.change(func(f *status) { f.job = j })
	defer a.change(func(f *status) { f.job = nil })
	current := a.store.Load()
	var next *store.Store
	defer func() {
		if err != nil && next != nil {
			if aerr := current.Abandon(next); aerr != nil {
				a.log.Warn("unfinished generation not removed", "err", aerr)
			}
		}
	}()
	err = a.runPausable(ctx, j, func() (err error) {
		if next == nil {
			if next, err = current.NextGeneration(ctx); err != nil {
				return fmt.Errorf("begin new generation: %w", err)
			}
		}
		return a.rebuild(ctx, current, next, j)
	})
	a.wakeVectors()
	return a.indexStats(), err
}

func (a *Actor) rebuild(ctx context.Context, current, next *store.Store, j *jobs.Job) error {
	if err := a.retryWithBackoff(func() error { return a.syncFolders(ctx, next, j, true) }); err != nil {
		return err
	}
	if err := a.rebuildVectors(ctx, next, j); err != nil {
		return err
	}
	j.Update(func(p *api.Progress) { p.Phase = api.PhaseFinishing })
	return a.do(ctx, func(ctx context.Context) error {
		// Index the files that have changed during the build.
		indexed := a.opt.OnScan()
		if err := a.syncFolders(ctx, next, nil, false); err != nil {
			return err
		}
		if err := a.recordFullIndex(next); err != nil {
			return err
		}
		if err := current.Switch(ctx, next); err != nil {
			return fmt.Errorf("switch generation: %w", err)
		}
		indexed()
		a.change(func(f *status) {
			f.building, f.repairErr, f.repaired, f.updateErr, f.vectorErr = false, nil, nil, nil, nil
		})
		return nil
	})
}

// rebuildVectors computes the vectors of the new index. It fails only if the project is paused or ctx ends. After other
// errors, the vectors are computed after the rebuild.
func (a *Actor) rebuildVectors(ctx context.Context, next *store.Store, j *jobs.Job) error {
	if !a.embeds() {
		return nil
	}
	total, initial := next.Stats().Chunks, next.Stats().Vectors
	j.Update(func(p *api.Progress) { p.Phase, p.ChunksDone, p.ChunksTotal = api.PhaseEmbedding, initial, total })
	err := a.fillVectors(ctx, next, func(done int) {
		done, total := embedded(next, initial+done)
		j.Update(func(p *api.Progress) { p.ChunksDone, p.ChunksTotal = done, total })
	})
	switch {
	case err == nil, errors.Is(err, errPaused):
		return err
	case errors.Is(err, errThrottled):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	a.log.Warn("rebuild continues without vectors", "err", err)
	a.change(func(f *status) { f.vectorErr = vectorError(err) })
	return nil
}

// syncFolders indexes all differences between the project's folders and st. If j is not nil, j shows the progress.
// syncFolders fails at once if the index would not fit on the disk.
func (a *Actor) syncFolders(ctx context.Context, st *store.Store, j *jobs.Job, full bool) error {
	report := func(change func(*api.Progress)) {
		if j != nil {
			j.Update(change)
		}
	}
	report(func(p *api.Progress) { p.Phase = api.PhaseScanning })
	tree := a.tree.Load()
	tree.Refresh()
	scanNo := a.omitted.beginScan()
	changes, walked := a.walked(st)
	var err error
	if !walked {
		changes, err = a.diff(ctx, tree, st, full)
	}
	if err := a.noteGone(err); err != nil {
		return err
	}
	if err != nil && !errors.Is(err, scan.ErrRootGone) {
		return fmt.Errorf("scan project: %w", err)
	}
	if j != nil {
		if err := a.checkFree(max(0, changes.Report.Bytes*DiskPerByte-st.Stats().SizeBytes), false); err != nil {
			return err
		}
	}
	pending := func(n int) {
		if st == a.store.Load() {
			a.change(func(f *status) { f.pending = n })
		}
	}
	left := len(changes.Changed)
	pending(left + len(changes.Removed))
	report(func(p *api.Progress) {
		p.FilesTotal = max(p.FilesTotal, left)
		p.Phase, p.FilesDone = api.PhaseIndexing, p.FilesTotal-left
	})
	stats, err := a.commitChanges(ctx, st, changes, a.Paused, func() {
		left--
		report(func(p *api.Progress) { p.FilesDone++ })
		if left%64 == 0 {
			pending(left)
		}
	})
	if !errors.Is(err, errPaused) {
		pending(0)
	}
	if err != nil {
		return err
	}
	a.recordSkipped(scanNo, changes.Report, stats)
	return nil
}

// walked returns the result of an earlier scan instead of scanning all folders for the first build. It returns false
// after the watcher has requested its first scan. Otherwise, that scan follows, and finds the changes since the earlier
// scan.
func (a *Actor) walked(st *store.Store) (scan.Changes, bool) {
	if a.opt.Walked == nil || a.compared.Load() || st.Stats().Files > 0 {
		return scan.Changes{}, false
	}
	return a.opt.Walked()
}

func (a *Actor) diff(ctx context.Context, tree *Tree, st *store.Store, full bool) (scan.Changes, error) {
	ctx, stop := a.untilPaused(ctx)
	defer stop(nil)
	changes, err := tree.Diff(ctx, knownFiles{st, a.omitted, tree}, full)
	if err != nil && errors.Is(context.Cause(ctx), errPaused) {
		err = errPaused
	}
	return changes, err
}

func (a *Actor) recordFullIndex(st *store.Store) error {
	err := st.UpdateMetadata(func(m *store.Metadata) {
		now := time.Now().UTC()
		m.ProjectPath = a.tree.Load().Roots()[0].Path
		if m.CreatedAt.IsZero() {
			m.CreatedAt = now
		}
		m.LastFullIndex, m.LastDocsIndex = now, now
	})
	if err != nil {
		return fmt.Errorf("write metadata: %w", err)
	}
	return st.Checkpoint()
}

func (a *Actor) indexStats() api.IndexStats {
	s := a.store.Load().Stats()
	return api.IndexStats{FilesIndexed: s.Files, ChunksCreated: s.Chunks}
}

func (a *Actor) awaitVectors(ctx context.Context, j *jobs.Job) error {
	for {
		if !a.embeds() {
			return nil
		}
		a.mu.Lock()
		changed, waiting := a.vectorsChanged, a.status.shown.Waiting
		blocked := a.status.vectorErr != nil || waiting != "" && !api.Fetching(waiting)
		paused := a.status.paused
		a.mu.Unlock()
		s := a.store.Load().Stats()
		if s.Vectors >= s.Chunks || blocked {
			return nil
		}
		j.Update(func(p *api.Progress) {
			// Computed vectors are counted before they are stored.
			p.ChunksDone, p.ChunksTotal = min(max(p.ChunksDone, s.Vectors), s.Chunks), s.Chunks
			p.Phase, p.Waiting = api.PhaseEmbedding, waiting
			if paused {
				p.Phase = api.PhasePaused
			}
		})
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-a.stopped:
			return ErrClosed
		}
	}
}

// ReindexFile indexes a file even if the file is unchanged (RFC 4.6). It returns the file's number of chunks.
func (a *Actor) ReindexFile(ctx context.Context, path string) (int, error) {
	clean, err := policy.Clean(path)
	if err != nil {
		return 0, err
	}
	chunks := 0
	err = a.do(ctx, func(ctx context.Context) error {
		tree, st := a.tree.Load(), a.store.Load()
		if err := a.allowed(tree, clean); err != nil {
			return err
		}
		unpaused := func() bool { return false } // a pause doesn't affect a file that the user requested
		a.forceReindex.Store(true)
		defer a.forceReindex.Store(false)
		stats, err := a.commitChanges(ctx, st, scan.Changes{Changed: []scan.File{{Path: clean}}}, unpaused, func() {})
		if err != nil {
			return err
		}
		a.omitted.recordScan(0, tree, []string{clean}, nil, stats.unreadable)
		for reason := range stats.skipped {
			return notIndexable(clean, reason)
		}
		chunks = stats.chunks
		return a.recordUpdate(st, 1)
	})
	return chunks, err
}

func (a *Actor) allowed(tree *Tree, path string) error {
	_, reason, err := tree.Stat(path)
	switch {
	case errors.Is(err, scan.ErrRootGone):
		root, _ := tree.split(path)
		a.opt.OnRootGone()
		return MissingRootError(root.root, err)
	case errors.Is(err, policy.ErrLocked):
		return api.ErrPermission(path, err)
	case err != nil && reason == api.SkipNone:
		return api.ErrFileNotFound(path)
	case reason == api.SkipSymlink:
		return api.ErrSymlink(path)
	case reason == api.SkipUnreadable && err != nil:
		return api.ErrPermission(path, err)
	case reason != api.SkipNone:
		return notIndexable(path, reason)
	case tree.Corpus(path) == api.CorpusDocs && !tree.docs:
		return notIndexable(path, api.SkipDocsOff)
	}
	return nil
}

func notIndexable(path string, reason api.Reason) error {
	if reason == api.SkipSymlink {
		return api.ErrSymlink(path)
	}
	return api.New(api.FileNotIndexable,
		fmt.Sprintf("The file '%s' is not indexed: %s.", path, reason.InWords()),
		fmt.Sprintf("%s is skipped: %s", path, reason), nil)
}

func (a *Actor) recordUpdate(st *store.Store, changes int) error {
	if err := st.UpdateMetadata(func(m *store.Metadata) { m.LastIncrementalUpdate = time.Now().UTC() }); err != nil {
		return err
	}
	a.change(func(f *status) { f.shown.Updated += changes })
	return nil
}

// noteGone reports missing roots to the user. If all roots are missing, noteGone returns an error.
func (a *Actor) noteGone(err error) error {
	var gone *goneError
	if err != nil && !errors.As(err, &gone) {
		return nil
	}
	var missing []*api.Error
	if gone != nil {
		missing = gone.missing
		a.opt.OnRootGone()
	}
	all := len(missing) == len(a.tree.Load().Roots())
	a.change(func(f *status) {
		f.missing, f.offlineErr = missing, nil
		if all {
			f.missing, f.offlineErr = nil, missing[0]
		}
	})
	if all {
		return missing[0]
	}
	return nil
}

// MissingRootError returns the error for a missing root.
func MissingRootError(r api.Root, cause error) *api.Error {
	code, detail := api.ProjectOffline, "root is missing or unreadable: "
	own := "This project's folder can't be found. Its index is kept; " +
		"only searches by words, meaning and path answer from it."
	added := "The folder @%s of this project can't be found. Its part of the index is kept; " +
		"only searches by words, meaning and path answer from it."
	if errors.Is(cause, fs.ErrPermission) {
		code, detail = api.FolderUnreadable, "no permission to read "
		own = "This project's folder can't be read. Its index is kept; " +
			"only searches by words, meaning and path answer from it."
		added = "The folder @%s of this project can't be read. Its part of the index is kept; " +
			"only searches by words, meaning and path answer from it."
	}
	if r.Name != "" {
		own = fmt.Sprintf(added, r.Name)
	}
	return api.New(code, own, detail+r.Path, cause)
}
