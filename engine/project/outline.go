package project

import (
	"context"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/search/symbol/find"
)

func (r *Registry) Outline(ctx context.Context, root string, q api.OutlineQuery) (api.Outline, error) {
	p, err := r.get(root)
	if err != nil {
		return api.Outline{}, err
	}
	p.flushBeforeSearch(ctx)
	q.Path = p.pathOf(q.Path)
	names := p.overlay()
	defer names.release()
	out, err := find.Outline(ctx, names, q, find.Request{Documents: p.documents, Open: p.open, Allowed: p.allowed})
	if gone := p.offline(); gone != nil && (api.CodeOf(err) == api.FileNotFound || q.Name != "" || q.Line > 0) {
		return api.Outline{}, gone
	}
	if name, why := p.outermost(q.Path); api.CodeOf(err) == api.FileNotFound && name != "" && p.exists(q.Path) {
		return out, api.New(api.FileNotIndexable, fmt.Sprintf("The file '%s' is not indexed: %s.", q.Path, why),
			name+" is left out", err)
	}
	if err != nil {
		return out, fmt.Errorf("outline: %w", r.whileOpen(p, err))
	}
	out.Path = p.onDisk(out.Path)
	namesOnDisk(p, out.Declared, func(d *api.Declared) *string { return &d.Path })
	namesOnDisk(p, out.Files, func(f *api.OutlineFile) *string { return &f.Path })
	out.Notes = append(out.Notes, p.stateNotes(p.Snapshot(), false)...)
	return out, nil
}
