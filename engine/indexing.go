package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/jobs"
	"searchmcp/engine/scan"
	"searchmcp/engine/store/files"
)

// Create indexes root: a new project, or one that exists and is brought up to date. It joins a job that already runs.
// The caller has asked a person.
func (e *Engine) Create(ctx context.Context, root string, always bool) (api.Job, error) {
	p := e.byRoot(root)
	if p != nil { // a first build that was cancelled takes the project with it when it ends
		if err := p.awaitEnding(ctx, api.ActionCreate); err != nil {
			return nil, err
		}
	}
	if err := e.awaitRemoval(ctx, root); err != nil {
		return nil, err
	}
	if p = e.byRoot(root); p == nil {
		var err error
		if p, err = e.register(ctx, root); err != nil {
			return nil, err
		}
	}
	if always {
		if err := p.saveRecord(func(r *record) { r.AlwaysAllow = true }); err != nil {
			return nil, err
		}
		p.actor.SetAlwaysAllow(true)
	}
	return e.build(p), nil
}

// build starts or joins the job that brings p's index up to the files.
func (e *Engine) build(p *project) *jobs.Job {
	return e.startJob(p, api.ActionCreate, func(ctx context.Context, j *jobs.Job) (api.IndexStats, error) {
		stats, err := p.actor.Build(ctx, j)
		if err != nil && p.actor.Store().Metadata().LastFullIndex.IsZero() && e.ctx.Err() == nil && !p.mending.Load() {
			// The first build was cancelled or failed, so there was no index before and there is none after. When the
			// app itself is going, what was committed stays and the next start goes on from it.
			e.discard(p)
		}
		return stats, err
	})
}

// register makes the folder of a new project: config.json with its comments, the record, an empty store.
func (e *Engine) register(ctx context.Context, root string) (*project, error) {
	id := scan.ProjectID(root)
	dir := filepath.Join(e.opt.Data, indexesDir, id)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, diskError(fmt.Errorf("make project folder: %w", err), dir)
	}
	if err := files.CreateConfig(dir, e.defaults()); err != nil {
		return nil, diskError(fmt.Errorf("write project configuration: %w", err), dir)
	}
	rec := record{Name: e.uniqueName(root), Root: root}
	if err := files.WriteJSON(filepath.Join(dir, projectFile), rec); err != nil {
		return nil, diskError(fmt.Errorf("write project record: %w", err), dir)
	}
	return e.start(ctx, id, rec, nil)
}

// discard removes a project whose first build did not finish.
func (e *Engine) discard(p *project) {
	gone, first := e.leaving(p)
	if !first {
		return
	}
	// The job that calls this is one of those remove waits for, so it runs on its own.
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		defer gone()
		ctx, cancel := context.WithTimeout(e.ctx, closeTimeout)
		defer cancel()
		if err := e.remove(ctx, p); err != nil {
			e.log.Warn("unfinished index not removed", "project", p.id, "err", err)
		}
	}()
}

// Reindex rebuilds a project beside its old index and switches when it is complete.
func (e *Engine) Reindex(_ context.Context, root string) (api.Job, error) {
	p, err := e.projectOf(root)
	if err != nil {
		return nil, err
	}
	return e.startJob(p, api.ActionReindex, p.actor.Rebuild), nil
}

// Delete ends the project's jobs and removes its index for good. The person's files stay.
func (e *Engine) Delete(ctx context.Context, root string) error {
	if b, ok := e.brokenOf(root); ok {
		return e.removeBroken(b)
	}
	p, err := e.projectOf(root)
	if err != nil {
		return err
	}
	gone, first := e.leaving(p)
	if !first {
		return e.awaitRemoval(ctx, root)
	}
	defer gone()
	return e.remove(ctx, p)
}

// leaving notes that a project is being removed, until gone is called. Only the first call for it may remove it.
func (e *Engine) leaving(p *project) (gone func(), first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.removals[p.id]; ok {
		return nil, false
	}
	done := make(chan struct{})
	e.removals[p.id] = done
	return func() {
		e.mu.Lock()
		delete(e.removals, p.id)
		e.mu.Unlock()
		close(done)
	}, true
}

// awaitRemoval waits until a removal of root's index that is under way has ended.
func (e *Engine) awaitRemoval(ctx context.Context, root string) error {
	e.mu.RLock()
	done := e.removals[scan.ProjectID(root)]
	if done == nil {
		done = e.removals[scan.LegacyID(root)]
	}
	e.mu.RUnlock()
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (e *Engine) remove(ctx context.Context, p *project) error {
	if err := p.halt(ctx); err != nil {
		return err
	}
	e.mu.Lock()
	delete(e.projects, p.id)
	e.mu.Unlock()
	if err := removeFolder(p.dir); err != nil {
		return err
	}
	e.hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: p.id})
	return nil
}

// halt ends a project's jobs and goroutines and waits for them.
func (p *project) halt(ctx context.Context) error {
	for _, j := range p.jobs() {
		j.Cancel()
	}
	p.cancel()
	select {
	case <-p.stopped:
	case <-ctx.Done():
		return fmt.Errorf("stop project: %w", context.Cause(ctx))
	}
	p.closeLog()
	return nil
}

// removeFolder deletes an index. It is renamed first: from then on no start takes the folder for an index, whatever happens to the
// removal.
func removeFolder(dir string) error {
	doomed := dir + deleting
	if err := os.RemoveAll(doomed); err != nil {
		return fmt.Errorf("remove rest of an earlier deletion: %w", err)
	}
	if err := os.Rename(dir, doomed); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete index: %w", err)
	}
	if err := os.RemoveAll(doomed); err != nil {
		return fmt.Errorf("delete index: %w", err)
	}
	return nil
}

// ReindexFile indexes one file again and returns its number of chunks.
func (e *Engine) ReindexFile(ctx context.Context, root, path string) (int, error) {
	p, err := e.projectOf(root)
	if err != nil {
		return 0, err
	}
	return p.actor.ReindexFile(ctx, path)
}

// Running returns the job of a kind that runs for root.
func (e *Engine) Running(root string, a api.Action) (api.Job, bool) {
	if p := e.byRoot(root); p != nil {
		if j := p.job(a); j != nil {
			return j, true
		}
	}
	return nil, false
}

// Cancel stops a job; what was indexed before stays whole.
func (e *Engine) Cancel(jobID string) error {
	for _, p := range e.list() {
		for _, j := range p.jobs() {
			if j.ID() == jobID {
				j.Cancel()
				return nil
			}
		}
	}
	return api.ErrArgument("jobId", "the id of a running job")
}

// Pause stops indexing of one project, of all for "".
func (e *Engine) Pause(root string) error { return e.setPaused(root, true) }

// Resume undoes Pause.
func (e *Engine) Resume(root string) error { return e.setPaused(root, false) }

func (e *Engine) setPaused(root string, on bool) error {
	if root == "" {
		e.paused.Store(on)
		if err := e.settings.set(map[string]any{settingPaused: on}); err != nil {
			return err
		}
		for _, p := range e.list() {
			p.applyPause(on)
		}
		e.hub.Publish(api.Event{Kind: api.EventSettings})
		return nil
	}
	p, err := e.projectOf(root)
	if err != nil {
		return err
	}
	if err := p.saveRecord(func(r *record) { r.Paused = on }); err != nil {
		return err
	}
	p.applyPause(on || e.paused.Load())
	return nil
}

// applyPause sets the actor's state: a project stays paused on its own account when everything is resumed.
func (p *project) applyPause(all bool) {
	p.mu.Lock()
	paused := all || p.rec.Paused
	p.mu.Unlock()
	if paused {
		p.actor.Pause()
	} else {
		p.actor.Resume()
	}
	if w := p.watching(); w != nil { // asked after the actor was told: watching that begins meanwhile asks the actor
		w.follow(p.actor)
	}
}

// Paused reports whether everything is paused.
func (e *Engine) Paused() bool { return e.paused.Load() }

// Revoke takes «always allow for this project» back.
func (e *Engine) Revoke(root string) error {
	p, err := e.projectOf(root)
	if err != nil {
		return err
	}
	if err := p.saveRecord(func(r *record) { r.AlwaysAllow = false }); err != nil {
		return err
	}
	p.actor.SetAlwaysAllow(false)
	return nil
}

// AddRoot adds a folder to a project under a name that its paths begin with. It is written to config.json.
func (e *Engine) AddRoot(ctx context.Context, root, dir, name string) (api.Project, error) {
	return e.changeRoots(ctx, root, func(main string, extra []api.Root) ([]api.Root, error) {
		folder, err := e.Canonical(dir)
		if err != nil {
			return nil, err
		}
		if name == "" {
			name = filepath.Base(folder)
		}
		if strings.ContainsAny(name, `/\@`) || name == "." || name == ".." {
			return nil, api.ErrArgument("name", "a name without slashes or @")
		}
		for _, have := range append([]api.Root{{Path: main}}, extra...) {
			if have.Name == name {
				return nil, api.ErrArgument("name", fmt.Sprintf("one that no other folder of the project has; '%s' is taken", name))
			}
			if within(have.Path, folder) || within(folder, have.Path) {
				return nil, api.ErrArgument("dir", "a folder outside the project's others; it overlaps with "+have.Path)
			}
		}
		return append(extra, api.Root{Name: name, Path: folder}), nil
	})
}

// RemoveRoot takes a further folder out of a project, by its path or name. The first root can only be deleted.
func (e *Engine) RemoveRoot(ctx context.Context, root, dir string) (api.Project, error) {
	return e.changeRoots(ctx, root, func(_ string, extra []api.Root) ([]api.Root, error) {
		for i, have := range extra {
			if have.Name == dir || have.Path == filepath.Clean(dir) {
				return append(extra[:i], extra[i+1:]...), nil
			}
		}
		return nil, api.ErrArgument("dir", "a further folder of the project, by path or name")
	})
}

// changeRoots edits extraRoots in config.json, where a person may edit them too, and puts them into force.
func (e *Engine) changeRoots(ctx context.Context, root string,
	change func(main string, extra []api.Root) ([]api.Root, error)) (api.Project, error) {
	p, err := e.projectOf(root)
	if err != nil {
		return api.Project{}, err
	}
	extra, err := change(p.root(), slices.Clone(p.actor.Config().ExtraRoots))
	if err != nil {
		return api.Project{}, err
	}
	text, _, err := e.ConfigText(root)
	if err != nil {
		return api.Project{}, err
	}
	edited, err := files.PatchConfig([]byte(text), map[string]any{"extraRoots": extra})
	if err != nil {
		return api.Project{}, fmt.Errorf("change configuration: %w", err)
	}
	if _, err := e.SetConfigText(ctx, root, string(edited)); err != nil {
		return api.Project{}, err
	}
	return p.snapshot(), nil
}

// Locate tells that a project has moved: its index is kept under the folder's new name.
func (e *Engine) Locate(ctx context.Context, root, dir string) (api.Project, error) {
	p, err := e.projectOf(root)
	if err != nil {
		return api.Project{}, err
	}
	folder, err := e.Canonical(dir)
	if err != nil {
		return api.Project{}, err
	}
	if e.byRoot(folder) != nil {
		return api.Project{}, api.New(api.AlreadyIndexed, "That folder is a project already.", "root is registered: "+folder, nil)
	}
	if err := p.halt(ctx); err != nil {
		return api.Project{}, err
	}
	e.mu.Lock()
	delete(e.projects, p.id)
	e.mu.Unlock()
	id := scan.ProjectID(folder)
	if err := os.Rename(p.dir, filepath.Join(e.opt.Data, indexesDir, id)); err != nil {
		return api.Project{}, fmt.Errorf("move index: %w", err)
	}
	e.hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: p.id})
	rec := p.rec
	rec.Root = folder
	if rec.Name == filepath.Base(root) {
		rec.Name = e.uniqueName(folder)
	}
	if err := files.WriteJSON(filepath.Join(e.opt.Data, indexesDir, id, projectFile), rec); err != nil {
		return api.Project{}, fmt.Errorf("write project record: %w", err)
	}
	moved, err := e.start(ctx, id, rec, nil)
	if err != nil {
		return api.Project{}, err
	}
	return moved.snapshot(), nil
}
