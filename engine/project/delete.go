package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/store/files"
)

// Delete cancels the project's jobs and removes its index. The user's files remain.
func (r *Registry) Delete(ctx context.Context, root string, a api.Approval) error {
	if err := r.admit(root, a); err != nil {
		return err
	}
	if b, ok := r.brokenOf(root); ok {
		return r.drop(b.ID)
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

// beginRemoval registers the removal of p. The caller must call gone at the end. If p is already being removed, first
// is false and gone is nil.
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

func (r *Registry) removing(p *Project) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, doomed := r.removals[p.id]
	return doomed
}

func (r *Registry) awaitRemoval(ctx context.Context, root string) error {
	r.mu.RLock()
	done, removing := byRoot(r.removals, root)
	r.mu.RUnlock()
	if !removing {
		return nil
	}
	return wait(ctx, done)
}

func (r *Registry) remove(ctx context.Context, p *Project) error {
	if err := p.halt(ctx); err != nil {
		return err
	}
	return r.drop(p.id)
}

func (r *Registry) drop(id string) error {
	r.unlist(id)
	if err := removeFolder(filepath.Join(r.opt.Data, Dir, id)); err != nil {
		return err
	}
	r.opt.Hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: id})
	return nil
}

func (r *Registry) unlist(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.projects, id)
	delete(r.broken, id)
}

func (p *Project) halt(ctx context.Context) error {
	for _, j := range p.jobs() {
		j.Cancel()
	}
	p.cancel()
	if err := wait(ctx, p.stopped); err != nil {
		return fmt.Errorf("stop project: %w", err)
	}
	_ = p.logs.Close()
	return nil
}

// removeFolder deletes the index in dir. It first renames dir, because the next start must not open a partly deleted
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

// Purge erases deleted text from the index of the project at root, or from all indexes if root is "".
func (r *Registry) Purge(ctx context.Context, root string) error {
	list := r.List()
	if root != "" {
		p, err := r.get(root)
		if err != nil {
			return err
		}
		list = []*Project{p}
	}
	var errs []error
	for _, p := range list {
		if err := p.actor.Purge(ctx); err != nil {
			errs = append(errs, fmt.Errorf("purge %s: %w", p.name, err))
		}
	}
	return errors.Join(errs...)
}
