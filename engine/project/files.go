package project

import (
	"context"

	"searchmcp/engine/api"
)

// Files answers search_by_path from the committed files of the given roots.
func (r *Registry) Files(ctx context.Context, roots []string, q api.FileQuery) (api.FileResults, error) {
	var all api.FileResults
	for i, root := range roots {
		p, err := r.get(root)
		if err != nil {
			if len(roots) == 1 {
				return all, err
			}
			continue
		}
		p.beforeSearch(ctx)
		found, err := r.filesOf(ctx, p, q)
		if err != nil {
			return api.FileResults{}, err
		}
		if i == 0 || found.IndexedAt.Before(all.IndexedAt) {
			all.IndexedAt = found.IndexedAt
		}
		all.Total += found.Total
		all.Notes = append(all.Notes, found.Notes...)
		for _, m := range found.Matches {
			if len(roots) > 1 {
				m = p.name + ":" + m
			}
			if len(all.Matches) < q.Limit {
				all.Matches = append(all.Matches, m)
			}
		}
	}
	all.Truncated = all.Total > len(all.Matches)
	return all, nil
}

func (r *Registry) filesOf(ctx context.Context, p *Project, q api.FileQuery) (api.FileResults, error) {
	view := p.actor.View()
	defer view.Release()
	snap := p.Snapshot()
	tree := p.actor.Tree()
	matches, total, err := p.files(ctx, view, q, func(path string) bool { return tree.Path(path) == api.SkipNone })
	if err != nil {
		return api.FileResults{}, err
	}
	return api.FileResults{Matches: matches, Total: total, IndexedAt: snap.LastUpdated, Notes: stateNotes(snap)}, nil
}
