package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/jobs"
	"searchmcp/engine/policy"
	"searchmcp/engine/scan"
	"searchmcp/engine/store"
)

// Build indexes the project's folders into the current generation: everything on the first run, what differs on a later
// one. It is the work of a job: files become searchable batch by batch, and it returns when their vectors are there too,
// or cannot be made now (the snapshot says why). Paused, it commits what it has read and goes on from there when it is
// resumed. Cancelled, it leaves what was committed; whoever started a first build decides whether that stays.
func (a *Actor) Build(ctx context.Context, j *jobs.Job) (api.IndexStats, error) {
	a.change(func(f *flags) { f.job = j })
	defer a.change(func(f *flags) { f.job = nil })
	err := a.unlessPaused(ctx, func() error {
		return a.do(ctx, func(ctx context.Context) error {
			st := a.store.Load()
			if err := a.retrySmaller(func() error { return a.bringUp(ctx, st, j, true) }); err != nil {
				return err
			}
			if err := a.noteFull(st); err != nil {
				return err
			}
			a.change(func(f *flags) { f.building, f.mending, f.trouble = false, nil, nil })
			return nil
		})
	})
	if err != nil {
		a.damaged(err)
		return a.indexed(), err
	}
	a.wakeVectors()
	if err := a.awaitVectors(ctx, j); err != nil {
		return a.indexed(), err
	}
	return a.indexed(), nil
}

// unlessPaused does heavy work in the lane, and again after each pause that ended it. Paused, it waits outside the lane, so
// that other projects have their turn.
func (a *Actor) unlessPaused(ctx context.Context, work func() error) error {
	for {
		if err := a.running(ctx); err != nil {
			return err
		}
		leave, err := a.opt.Lane.Enter(ctx)
		if err != nil {
			return err
		}
		err = work()
		leave()
		if !errors.Is(err, errPaused) {
			return err
		}
	}
}

// Rebuild makes a new generation beside the current one, which goes on serving searches and updates, and switches to it
// when its text and vectors are complete. Paused, it keeps what it has. Cancelled or crashed, the old index is whole.
func (a *Actor) Rebuild(ctx context.Context, j *jobs.Job) (stats api.IndexStats, err error) {
	a.change(func(f *flags) { f.job = j })
	defer a.change(func(f *flags) { f.job = nil })
	current := a.store.Load()
	var next *store.Store
	defer func() {
		if err != nil && next != nil {
			if aerr := current.Abandon(next); aerr != nil {
				a.log.Warn("unfinished generation not removed", "err", aerr)
			}
		}
	}()
	err = a.unlessPaused(ctx, func() (err error) {
		if next == nil {
			if next, err = current.NextGeneration(ctx); err != nil {
				return fmt.Errorf("begin new generation: %w", err)
			}
		}
		return a.rebuild(ctx, current, next, j)
	})
	a.wakeVectors()
	return a.indexed(), err
}

// rebuild completes the next generation, from wherever an earlier call left it, and switches to it.
func (a *Actor) rebuild(ctx context.Context, current, next *store.Store, j *jobs.Job) error {
	if err := a.retrySmaller(func() error { return a.bringUp(ctx, next, j, true) }); err != nil {
		return err
	}
	if err := a.rebuildVectors(ctx, next, j); err != nil {
		return err
	}
	j.Update(func(p *api.Progress) { p.Phase = api.PhaseFinishing })
	return a.do(ctx, func(ctx context.Context) error {
		// What changed while the generation was built; from here to the switch the actor handles nothing else.
		if err := a.bringUp(ctx, next, nil, false); err != nil {
			return err
		}
		if err := a.noteFull(next); err != nil {
			return err
		}
		if err := current.Switch(ctx, next); err != nil {
			return fmt.Errorf("switch generation: %w", err)
		}
		a.change(func(f *flags) { f.building, f.mending, f.trouble, f.problem = false, nil, nil, nil })
		return nil
	})
}

// rebuildVectors makes the new generation's vectors. Where none can be made the rebuild goes on by text alone, as the
// old index does.
func (a *Actor) rebuildVectors(ctx context.Context, next *store.Store, j *jobs.Job) error {
	if a.opt.Embedder == nil {
		return nil
	}
	total, begun := next.Stats().Chunks, next.Stats().Vectors
	j.Update(func(p *api.Progress) { p.Phase, p.ChunksDone, p.ChunksTotal = api.PhaseEmbedding, begun, total })
	err := a.fillVectors(ctx, next, func(done int) {
		j.Update(func(p *api.Progress) { p.ChunksDone = begun + done })
	})
	switch {
	case err == nil, errors.Is(err, errPaused):
		return err
	case errors.Is(err, errResting):
		return nil // they follow after the switch
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	a.log.Warn("rebuild goes on without vectors", "err", err)
	a.change(func(f *flags) { f.problem = asProblem(err) })
	return nil
}

// bringUp scans the folders and commits to st whatever differs. With a job it reports progress and refuses what cannot
// fit on the disk.
func (a *Actor) bringUp(ctx context.Context, st *store.Store, j *jobs.Job, full bool) error {
	tell := func(change func(*api.Progress)) {
		if j != nil {
			j.Update(change)
		}
	}
	tell(func(p *api.Progress) { p.Phase = api.PhaseScanning })
	tree := a.tree.Load()
	tree.Refresh()
	a.skips.begin()
	changes, err := a.diff(ctx, tree, st, full)
	if errors.Is(err, scan.ErrRootGone) {
		a.setOffline(err)
		return a.offlineError()
	}
	if err != nil {
		return fmt.Errorf("scan project: %w", err)
	}
	a.clearOffline()
	a.skips.sweep()
	if j != nil {
		if err := a.enoughDisk(changes.Report.Bytes, st.Stats().SizeBytes); err != nil {
			return err
		}
	}
	a.change(func(f *flags) { f.pending = len(changes.Changed) + len(changes.Removed) })
	left := len(changes.Changed)
	tell(func(p *api.Progress) { // after a pause what was done stays done
		p.FilesTotal = max(p.FilesTotal, left)
		p.Phase, p.FilesDone = api.PhaseIndexing, p.FilesTotal-left
	})
	stats, err := a.commitChanges(ctx, st, changes, a.paused, func(path string) {
		left--
		tell(func(p *api.Progress) { p.FilesDone++; p.CurrentFile = path })
		if left%64 == 0 { // a person reads five numbers a second; this keeps the lock out of the hot path
			a.change(func(f *flags) { f.pending = left })
		}
	})
	if err != nil {
		return err
	}
	a.change(func(f *flags) { f.pending = 0 })
	a.noteSkipped(changes.Report, stats)
	return nil
}

// diff compares the folders with what st knows. A pause ends it.
func (a *Actor) diff(ctx context.Context, tree *Tree, st *store.Store, full bool) (scan.Changes, error) {
	ctx, stop := a.untilPaused(ctx)
	defer stop()
	changes, err := tree.Diff(ctx, known{st, a.skips, tree}, full)
	if err != nil && errors.Is(context.Cause(ctx), errPaused) {
		err = errPaused
	}
	return changes, err
}

func addSkipped(a, b api.Skipped) api.Skipped {
	sum := api.Skipped{}
	for _, m := range []api.Skipped{a, b} {
		for reason, n := range m {
			sum[reason] += n
		}
	}
	return sum
}

func (a *Actor) noteFull(st *store.Store) error {
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
	if err := st.Fold(); err != nil {
		return fmt.Errorf("fold fingerprints: %w", err)
	}
	return nil
}

// indexed is what create_index and reindex_project report.
func (a *Actor) indexed() api.IndexStats {
	s := a.store.Load().Stats()
	return api.IndexStats{FilesIndexed: s.Files, ChunksCreated: s.Chunks}
}

// awaitVectors waits until every chunk has a vector, or none can be made.
func (a *Actor) awaitVectors(ctx context.Context, j *jobs.Job) error {
	if a.opt.Embedder == nil {
		return nil
	}
	for {
		a.mu.Lock()
		lap, wait := a.lap, a.flags.problem != nil || a.flags.resting != ""
		a.mu.Unlock()
		s := a.store.Load().Stats()
		if s.Vectors >= s.Chunks || wait {
			return nil
		}
		j.Update(func(p *api.Progress) { p.Phase, p.ChunksDone, p.ChunksTotal = api.PhaseEmbedding, s.Vectors, s.Chunks })
		select {
		case <-lap:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-a.stopped:
			return ErrClosed
		}
	}
}

// ReindexFile indexes one file again whether it changed or not and returns its chunks (RFC 4.6).
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
		a.refresh.Store(true)
		defer a.refresh.Store(false)
		stats, err := a.commitChanges(ctx, st, scan.Changes{Changed: []scan.File{{Path: clean}}}, never, func(string) {})
		if err != nil {
			return err
		}
		for reason := range stats.skipped {
			return notIndexable(clean, reason)
		}
		chunks = stats.chunks
		return a.noteUpdate(st)
	})
	return chunks, err
}

// never is when a single file, which somebody asked for, heeds a pause.
func never() bool { return false }

// allowed gives the RFC's error for a file that may not be indexed.
func (a *Actor) allowed(tree *Tree, path string) error {
	_, reason, err := tree.Stat(path)
	switch {
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
		fmt.Sprintf("The file '%s' is not indexed because of this project's rules (%s).", path, reason),
		fmt.Sprintf("%s is skipped: %s", path, reason), nil)
}

func (a *Actor) noteUpdate(st *store.Store) error {
	err := st.UpdateMetadata(func(m *store.Metadata) { m.LastIncrementalUpdate = time.Now().UTC() })
	if err != nil {
		return fmt.Errorf("write metadata: %w", err)
	}
	return nil
}

func (a *Actor) setOffline(cause error) {
	root := a.tree.Load().Roots()[0].Path
	a.change(func(f *flags) {
		f.offline = api.New(api.ProjectOffline,
			"This project's folder can't be found. Its index is kept; searches answer from it.",
			"root is missing or unreadable: "+root, cause)
	})
	if a.opt.OnRootGone != nil {
		a.opt.OnRootGone()
	}
}

func (a *Actor) clearOffline() {
	a.mu.Lock()
	was := a.flags.offline != nil
	a.flags.offline = nil
	a.mu.Unlock()
	if was {
		a.publish()
	}
}

func (a *Actor) offlineError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.flags.offline == nil {
		return nil
	}
	return a.flags.offline
}
