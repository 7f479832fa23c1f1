package project

import (
	"context"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/search/grep"
	"searchmcp/engine/search/symbol/find"
)

func (r *Registry) Grep(ctx context.Context, roots []string, q api.GrepQuery) (api.GrepResults, error) {
	ask := func(root string) (api.GrepResults, error) { return r.grepOf(ctx, root, q) }
	if len(roots) == 1 {
		return ask(roots[0])
	}
	all := api.GrepResults{Files: []api.GrepFile{}}
	notes, err := askEach(r, roots, ask, func(name string, one api.GrepResults) []string {
		for _, f := range one.Files {
			f.Project = name
			all.Files = append(all.Files, f)
		}
		all.Total += one.Total
		all.Searched += one.Searched
		return one.Notes
	})
	if err != nil {
		return api.GrepResults{}, err
	}
	all.Notes = notes
	if q.Hits > 0 { // each project has returned up to q.Hits lines
		left := q.Hits
		for i := range all.Files {
			f := &all.Files[i]
			f.Hits = f.Hits[:min(len(f.Hits), left)]
			left -= len(f.Hits)
		}
	}
	return all, nil
}

func (r *Registry) grepOf(ctx context.Context, root string, q api.GrepQuery) (api.GrepResults, error) {
	p, err := r.get(root)
	if err != nil {
		return api.GrepResults{}, err
	}
	if err := p.offline(); err != nil {
		return api.GrepResults{}, err
	}
	if q.Language, err = r.language(q.Language, []string{root}); err != nil {
		return api.GrepResults{}, err
	}
	p.flushBeforeSearch(ctx)
	names := p.overlay()
	defer names.release()
	var matches func(path string) bool
	if q.Path != "" {
		if matches, err = search.PathFilter(known{names}, p.relative(q.Path)); err != nil {
			return api.GrepResults{}, err
		}
	}
	var paths []string
	for _, corpus := range api.Corpora {
		for _, path := range names.Paths(corpus) {
			if (matches == nil || matches(path)) && p.allowed(path) {
				paths = append(paths, path)
			}
		}
	}
	out, err := grep.Search(ctx, grep.Request{
		Query: q, Paths: paths, Open: p.open,
		Around: func(ctx context.Context, path string, data []byte) (func(int) (string, int, int), error) {
			return find.Enclosing(ctx, path, data, p.documents)
		},
	})
	if err != nil {
		return out, fmt.Errorf("grep: %w", err)
	}
	hits := make([]api.Hit, len(out.Files))
	for i, f := range out.Files {
		hits[i].Path = f.Path
	}
	if stale := markStale(p.actor.Tree(), p.actor, hits); len(stale) > 0 {
		p.changed(stale)
	}
	namesOnDisk(p, out.Files, func(f *api.GrepFile) *string { return &f.Path })
	out.Notes = append(out.Notes, p.stateNotes(p.Snapshot(), false)...)
	if out.Total == 0 {
		out.Notes = append(out.Notes, p.missing(ctx, p.relative(q.Path))...)
	}
	return out, nil
}
