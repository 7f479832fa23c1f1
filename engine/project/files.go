package project

import (
	"context"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/store"
)

// Files implements the tool search_by_path. With several projects, each result begins with the project's name.
func (r *Registry) Files(ctx context.Context, roots []string, q api.FileQuery) (all api.FileResults, err error) {
	ask := func(root string) (api.FileResults, error) { return r.filesOf(ctx, root, q) }
	if len(roots) == 1 {
		all, err = ask(roots[0])
		all.Truncated = all.Total > len(all.Matches)
		return all, err
	}
	first := true
	all.Notes, err = askEach(r, roots, ask, func(name string, found api.FileResults) []string {
		if first || found.IndexedAt.Before(all.IndexedAt) {
			all.IndexedAt = found.IndexedAt
		}
		first = false
		all.Total += found.Total
		for _, path := range found.Matches[:min(len(found.Matches), q.Limit-len(all.Matches))] {
			all.Matches = append(all.Matches, name+":"+path)
		}
		for _, path := range found.Similar {
			all.Similar = append(all.Similar, name+":"+path)
		}
		return found.Notes
	})
	all.Truncated = all.Total > len(all.Matches)
	if all.Total > 0 {
		all.Similar = nil
	}
	return all, err
}

func (r *Registry) filesOf(ctx context.Context, root string, q api.FileQuery) (found api.FileResults, err error) {
	p, err := r.get(root)
	if err != nil {
		return found, err
	}
	p.flushBeforeSearch(ctx)
	q.Pattern = p.relative(q.Pattern)
	names := p.overlay()
	defer names.release()
	snap := p.Snapshot()
	found, err = search.Files(ctx, names, q, p.allowed)
	if err == nil && p.ctx.Err() != nil {
		err = store.ErrClosed
	}
	if err != nil {
		return found, r.whileOpen(p, err)
	}
	found.IndexedAt, found.Notes = snap.LastUpdated, p.stateNotes(snap, false)
	if found.Total == 0 {
		found.Notes = append(found.Notes, p.missing(ctx, q.Pattern)...)
	}
	return found, nil
}
