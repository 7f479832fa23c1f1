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

// Relocate changes the root of a project from root to dir. If the index can't be moved, the project keeps its root.
func (r *Registry) Relocate(ctx context.Context, root, dir string) (api.Project, error) {
	p, err := r.get(root)
	if err != nil {
		return api.Project{}, err
	}
	folder, err := r.Canonical(dir)
	if err != nil {
		return api.Project{}, err
	}
	if _, broken := r.brokenOf(folder); broken || r.Find(folder) != nil {
		return api.Project{}, api.New(api.AlreadyIndexed, "That folder is a project already.",
			"root is registered: "+folder, nil)
	}
	if err := p.halt(ctx); err != nil {
		return api.Project{}, err
	}
	ctx = context.WithoutCancel(ctx) // open the project again even if the caller cancels
	rec := p.record()
	rec.Root = folder
	if rec.Name == filepath.Base(root) {
		rec.Name = r.uniqueName(folder)
	}
	id := scan.ProjectID(folder)
	if err := r.moveIndex(p.id, id, rec); err != nil {
		return api.Project{}, errors.Join(err, r.openOrRepair(ctx, p.id, p.record(), nil))
	}
	r.unlist(p.id)
	r.opt.Hub.Publish(api.Event{Kind: api.EventRemoved, ProjectID: p.id})
	if err := r.openOrRepair(ctx, id, rec, nil); err != nil {
		return api.Project{}, err
	}
	return r.Status(ctx, folder)
}

// moveIndex renames the index folder of a stopped project and saves rec in it. If an error occurs, nothing changes.
func (r *Registry) moveIndex(from, to string, rec record) error {
	source, target := filepath.Join(r.opt.Data, Dir, from), filepath.Join(r.opt.Data, Dir, to)
	if err := os.Rename(source, target); err != nil {
		return fmt.Errorf("move index: %w", err)
	}
	if err := files.WriteJSON(filepath.Join(target, projectFile), rec); err != nil {
		return fmt.Errorf("write project record: %w", errors.Join(err, os.Rename(target, source)))
	}
	return nil
}
