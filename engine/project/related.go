package project

import (
	"context"
	"fmt"
	"slices"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/search/symbol/find"
)

// How many of each relation an answer has: callers and tests lead on, and the rest is what searching would give.
const (
	maxCallers = 5
	maxTests   = 3
	maxTwins   = 2
	wideSearch = 20 // results among which those like a place are
)

// related answers a query whose text is a place, path:line: who calls what stands there, its tests, what is called the
// same in another language, and the code most like it. Of several projects the first that has the file answers.
func (r *Registry) related(ctx context.Context, roots []string, q api.Query) (out api.Results, err error) {
	began := time.Now()
	at := api.SymbolQuery{}
	if at.At(q.Text); at.Line == 0 {
		return out, api.ErrArgument("query", "a place, as path:line, where related is true")
	}
	for _, root := range roots {
		if out, err = r.relatedOf(ctx, root, q, at); err == nil {
			if len(roots) > 1 {
				for i := range out.Hits {
					out.Hits[i].Project = r.nameOf(root)
				}
			}
			break
		}
	}
	out.Took = time.Since(began)
	return out, err
}

func (r *Registry) relatedOf(ctx context.Context, root string, q api.Query, at api.SymbolQuery) (api.Results, error) {
	p, err := r.get(root)
	if err != nil {
		return api.Results{}, err
	}
	p.flushBeforeSearch(ctx)
	at.Path = p.pathOf(at.Path)
	d, subject, ok, err := find.Around(ctx, find.OutlineRequest{
		Query: api.OutlineQuery{Path: at.Path}, Documents: p.documents, Read: p.readNow, Allowed: p.allowed,
	}, at.Line)
	if err != nil {
		return api.Results{}, fmt.Errorf("find related code: %w", r.whileOpen(p, err))
	}
	var known []api.Hit
	if ok {
		if known, err = r.byName(ctx, p, root, d); err != nil {
			return api.Results{}, err
		}
	}
	like := q
	like.Text, like.Related, like.Offset, like.TopK, like.Weak = subject, false, 0, wideSearch, true
	out, err := r.searchOne(ctx, root, like)
	if err != nil {
		return out, err
	}
	for _, h := range out.Hits {
		own := h.Path == at.Path && h.StartLine <= max(d.EndLine, at.Line) && min(max(d.StartLine, 1), at.Line) <= h.EndLine
		told := slices.ContainsFunc(known, func(k api.Hit) bool {
			return k.Path == h.Path && h.StartLine <= k.StartLine && k.EndLine <= h.EndLine
		})
		if !own && !told {
			h.Relation = api.RelationLike
			known = append(known, h)
		}
	}
	out.Total, out.Weak, out.Nearest = len(known), 0, nil
	out.Hits = known[min(q.Offset, len(known)):min(q.Offset+q.TopK, len(known))]
	out.More = nil
	answer.Shape(&out, q)
	return out, nil
}

// byName are callers, tests and twins of a definition, a line each.
func (r *Registry) byName(ctx context.Context, p *Project, root string, d api.SymbolDefinition) ([]api.Hit, error) {
	found, err := r.symbolOf(ctx, root, api.SymbolQuery{Name: d.Name, Path: d.Path, Line: d.Line, Uses: true})
	if err != nil {
		return nil, err
	}
	var callers, tests []api.Hit
	for _, f := range found.Uses {
		in := ""
		for _, u := range f.Uses {
			if u.Role != api.UseCall && u.Role != api.UseMention || u.In == in && in != "" {
				continue
			}
			in = u.In
			h := api.Hit{Path: f.Path, Text: u.Source, Score: 1, StartLine: u.Line, EndLine: u.Line, Breadcrumb: u.In,
				Relation: api.RelationCaller,
				Language: chunk.Language(f.Path, nil), Lines: []api.Line{{Number: u.Line, Text: u.Source}}}
			if f.Test {
				h.Relation = api.RelationTest
				tests = append(tests, h)
			} else {
				callers = append(callers, h)
			}
		}
	}
	names := p.overlay()
	defer names.release()
	twins, err := find.Twins(ctx, names, find.Request{Documents: p.documents, Read: p.readNow, Allowed: p.allowed}, d)
	if err != nil {
		return nil, fmt.Errorf("find related code: %w", r.whileOpen(p, err))
	}
	out := slices.Concat(callers[:min(len(callers), maxCallers)], tests[:min(len(tests), maxTests)])
	for _, t := range twins[:min(len(twins), maxTwins)] {
		out = append(out, api.Hit{Path: t.Path, Text: t.Signature, Score: 1, StartLine: t.StartLine, EndLine: t.EndLine,
			Breadcrumb: t.Name,
			Relation:   api.RelationTwin, Language: t.Language, Lines: []api.Line{{Number: t.StartLine, Text: t.Signature}}})
	}
	return out, nil
}
