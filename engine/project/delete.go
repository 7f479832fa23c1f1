package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/store/files"
)

// Delete ends the project's jobs and removes its index. The user's files are not touched.
func (r *Registry) Delete(ctx context.Context, root string, a api.Approval) error {
	if err := r.admit(root, a); err != nil {
		return err
	}
	if b, ok := r.brokenOf(root); ok {
		return r.removeBroken(b)
	}
	p, err := r.get(root)
	if err != nil {
		return err
	}
	gone, first := r.beginRemoval(p)
	if !first {
		return r.awaitRemoval(ctx, root)
	}
	defer gone()
	return r.remove(ctx, p)
}

// beginRemoval marks a project as being removed until gone is called. first is false if another call has already
// marked it.
func (r *Registry) beginRemoval(p *Project) (gone func(), first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.removals[p.id]; ok {
		return nil, false
	}
	done := make(chan struct{})
	r.removals[p.id] = done
	return func() {
		r.mu.Lock()
		delete(r.removals, p.id)
		r.mu.Unlock()
		close(done)
	}, true
}

// removing reports whether a project is being removed. Its index then counts as missing, although its folder may still
// exist.
func (r *Registry) removing(p *Project) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, doomed := r.removals[p.id]
	return doomed
}

// awaitRemoval waits until a running removal of root's index has ended.
func (r *Registry) awaitRemoval(ctx context.Context, root string) error {
	r.mu.RLock()
	done := r.removals[scan.ProjectID(root)]
	if done == nil {
		done = r.removals[scan.LegacyID(root)]
	}
	r.mu.RUnlock()
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

func (r *Registry) remove(ctx context.Context, p *Project) error {
	if err := p.halt(ctx); err != nil {
		return err
	}
	r.unlist(p.id)
	if err := removeFolder(p.dir); err != nil {
		return err
	}
	r.opt.Hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: p.id})
	return nil
}

// unlist removes a halted project from the list.
func (r *Registry) unlist(id string) {
	r.mu.Lock()
	delete(r.projects, id)
	r.mu.Unlock()
}

// halt stops a project's jobs and goroutines and waits for them.
func (p *Project) halt(ctx context.Context) error {
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

// removeFolder deletes an index. It renames the folder first, so that the next start does not open a half-deleted
// index.
func removeFolder(dir string) error {
	doomed := dir + deleting
	if err := os.RemoveAll(doomed); err != nil {
		return fmt.Errorf("remove remains of an earlier deletion: %w", err)
	}
	if err := files.Rename(dir, doomed); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete index: %w", err)
	}
	if err := os.RemoveAll(doomed); err != nil {
		return fmt.Errorf("delete index: %w", err)
	}
	return nil
}

func (r *Registry) removeBroken(b api.Project) error {
	r.mu.Lock()
	delete(r.broken, b.ID)
	r.mu.Unlock()
	if err := removeFolder(filepath.Join(r.opt.Data, Dir, b.ID)); err != nil {
		return err
	}
	r.opt.Hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: b.ID})
	return nil
}
