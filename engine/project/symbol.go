package project

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/search"
	"searchmcp/engine/search/symbol/find"
)

func (r *Registry) Symbol(ctx context.Context, roots []string, q api.SymbolQuery) (all api.SymbolResults, err error) {
	ask := func(root string) (api.SymbolResults, error) { return r.symbolOf(ctx, root, q) }
	if len(roots) == 1 {
		return ask(roots[0])
	}
	all.Missing = true
	all.Notes, err = askEach(r, roots, ask, func(name string, one api.SymbolResults) []string {
		all.Missing = all.Missing && one.Missing
		if one.Like && len(all.Definitions) > 0 {
			return nil
		}
		if all.Like && !one.Like && len(one.Definitions) > 0 {
			all.Definitions = nil
		}
		for i := range one.Definitions {
			one.Definitions[i].Project = name
		}
		for _, list := range [][]api.SymbolFile{one.Uses, one.Possible, one.Text} {
			for i := range list {
				list[i].Project = name
			}
		}
		all.Like = one.Like
		all.Definitions = append(all.Definitions, one.Definitions...)
		all.Uses = append(all.Uses, one.Uses...)
		all.Possible = append(all.Possible, one.Possible...)
		all.Text = append(all.Text, one.Text...)
		all.NotRead = append(all.NotRead, one.NotRead...)
		all.TotalUses += one.TotalUses
		all.TotalPossible += one.TotalPossible
		all.TotalText += one.TotalText
		all.Unread += one.Unread
		return one.Notes
	})
	return all, err
}

func (r *Registry) symbolOf(ctx context.Context, root string, q api.SymbolQuery) (api.SymbolResults, error) {
	p, err := r.get(root)
	if err != nil {
		return api.SymbolResults{}, err
	}
	if err := p.offline(); err != nil {
		return api.SymbolResults{}, err
	}
	p.flushBeforeSearch(ctx)
	names := p.overlay()
	defer names.release()
	req := find.Request{Query: q, Documents: p.documents, Open: p.open, Allowed: p.allowed}
	if q.Path != "" {
		if req.Matches, err = search.PathFilter(known{names}, p.relative(q.Path)); err != nil {
			return api.SymbolResults{}, err
		}
		if req.Matches == nil {
			req.Query.Path = ""
		}
	}
	out, err := find.Find(ctx, names, req)
	if err != nil {
		return out, fmt.Errorf("find symbol: %w", r.whileOpen(p, err))
	}
	namesOnDisk(p, out.Definitions, func(d *api.SymbolDefinition) *string { return &d.Path })
	for _, files := range [][]api.SymbolFile{out.Uses, out.Possible, out.Text} {
		namesOnDisk(p, files, func(f *api.SymbolFile) *string { return &f.Path })
	}
	out.Notes = append(out.Notes, p.stateNotes(p.Snapshot(), false)...)
	if len(out.Definitions) == 0 {
		out.Notes = append(out.Notes, p.missing(ctx, p.relative(q.Path))...)
	}
	return out, nil
}

// relative converts a path from a user to a path relative to the project. Absolute paths outside of the project are
// unchanged. For security, the caller must check the result with the project's policy.
func (p *Project) relative(input string) string {
	roots := p.Snapshot().Roots
	short := relative(roots, input)
	if !filepath.IsAbs(short) {
		return norm.NFC.String(short)
	}
	for _, at := range []string{input, filepath.Dir(input)} {
		real, err := scan.CanonicalRoot(at)
		if err != nil {
			continue
		}
		if short := relative(roots, filepath.Join(real, strings.TrimPrefix(input, at))); !filepath.IsAbs(short) {
			return norm.NFC.String(short)
		}
	}
	return input
}

func relative(roots []api.Root, input string) string {
	if !filepath.IsAbs(input) {
		return input
	}
	slashed := strings.TrimSuffix(filepath.ToSlash(input), "/") + "/"
	for _, r := range roots {
		rest, inside := strings.CutPrefix(slashed, strings.TrimSuffix(filepath.ToSlash(r.Path), "/")+"/")
		if !inside {
			continue
		}
		if !strings.HasSuffix(filepath.ToSlash(input), "/") {
			rest = strings.TrimSuffix(rest, "/")
		}
		return r.Prefix() + rest
	}
	return input
}

func (p *Project) pathOf(input string) string {
	names := p.overlay()
	defer names.release()
	short := p.relative(input)
	name, exists := search.ResolvePath(known{names}, short)
	if !exists && filepath.IsAbs(short) {
		return short
	}
	return name
}

func (r *Registry) PathIn(root, input string) string {
	if p := r.Find(root); p != nil {
		return p.pathOf(input)
	}
	return input
}

func (p *Project) allowed(path string) bool { return p.actor.Tree().Path(path) == api.SkipNone }

// open returns a function that reads files, and a function to call after the last file. Only one goroutine may call
// them.
func (p *Project) open() (find.Read, func()) {
	reader := p.actor.Tree().Reader()
	return func(path string, want func([]byte) bool) []byte {
		data, _, reason, err := reader.ReadIf(path, want)
		if err != nil || reason != api.SkipNone {
			return nil
		}
		return data
	}, reader.Close
}
