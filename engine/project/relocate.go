package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"searchmcp/engine/api"
	"searchmcp/engine/scan"
	"searchmcp/engine/store/files"
)

// Relocate tells that a project has moved: its index is kept under the folder's new name.
func (r *Registry) Relocate(ctx context.Context, root, dir string) (api.Project, error) {
	p, err := r.get(root)
	if err != nil {
		return api.Project{}, err
	}
	folder, err := r.Canonical(dir)
	if err != nil {
		return api.Project{}, err
	}
	if r.Find(folder) != nil {
		return api.Project{}, api.New(api.AlreadyIndexed, "That folder is a project already.", "root is registered: "+folder, nil)
	}
	if err := p.halt(ctx); err != nil {
		return api.Project{}, err
	}
	r.mu.Lock()
	delete(r.projects, p.id)
	r.mu.Unlock()
	id := scan.ProjectID(folder)
	if err := os.Rename(p.dir, filepath.Join(r.opt.Data, Dir, id)); err != nil {
		return api.Project{}, fmt.Errorf("move index: %w", err)
	}
	r.opt.Hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: p.id})
	rec := p.rec
	rec.Root = folder
	if rec.Name == filepath.Base(root) {
		rec.Name = r.uniqueName(folder)
	}
	if err := files.WriteJSON(filepath.Join(r.opt.Data, Dir, id, projectFile), rec); err != nil {
		return api.Project{}, fmt.Errorf("write project record: %w", err)
	}
	moved, err := r.start(ctx, id, rec, nil)
	if err != nil {
		return api.Project{}, err
	}
	return moved.Snapshot(), nil
}
