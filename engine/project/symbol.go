package project

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/search/symbol/find"
	"searchmcp/engine/share"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// Symbol finds where a name is defined and used in the projects of the given roots, the first root's answers first.
func (r *Registry) Symbol(ctx context.Context, roots []string, q api.SymbolQuery) (api.SymbolResults, error) {
	if len(roots) == 1 {
		return r.symbolOf(ctx, roots[0], q)
	}
	var all api.SymbolResults
	var said noted
	var failed error
	answered := 0
	for _, root := range roots {
		one, err := r.symbolOf(ctx, root, q)
		if err != nil {
			if failed == nil {
				failed = err
			}
			all.Notes = append(all.Notes, r.notSearched(root, err))
			continue
		}
		if answered++; one.Like && len(all.Definitions) > 0 {
			continue
		}
		if all.Like && !one.Like && len(one.Definitions) > 0 {
			all.Definitions = nil // what has the name itself counts more
		}
		name := r.nameOf(root)
		for i := range one.Definitions {
			one.Definitions[i].Project = name
		}
		for _, list := range [][]api.SymbolFile{one.Uses, one.Possible} {
			for i := range list {
				list[i].Project = name
			}
		}
		all.Like = one.Like
		all.Definitions = append(all.Definitions, one.Definitions...)
		all.Uses = append(all.Uses, one.Uses...)
		all.Possible = append(all.Possible, one.Possible...)
		all.NotRead = append(all.NotRead, one.NotRead...)
		all.TotalUses += one.TotalUses
		all.Unread += one.Unread
		said.add(name, one.Notes)
	}
	if answered == 0 {
		return api.SymbolResults{}, failed
	}
	all.Notes = append(all.Notes, said.all()...)
	return all, nil
}

func (r *Registry) symbolOf(ctx context.Context, root string, q api.SymbolQuery) (api.SymbolResults, error) {
	p, err := r.get(root)
	if err != nil {
		return api.SymbolResults{}, err
	}
	if snap := p.Snapshot(); snap.State == api.StateOffline && snap.Problem != nil {
		return api.SymbolResults{}, snap.Problem // names are read from files as they are now
	}
	p.flushBeforeSearch(ctx)
	names := p.names()
	defer names.release()
	req := find.Request{Query: q, Documents: p.documents, Read: p.readNow, Allowed: p.allowed}
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
	out.Notes = append(out.Notes, stateNotes(p.Snapshot())...)
	if len(out.Definitions) == 0 {
		out.Notes = append(out.Notes, p.missing(ctx, p.relative(q.Path))...)
	}
	return out, nil
}

// relative makes an absolute path or pattern that leads into one of the project's folders one of the project. It only
// rewrites text: policy judges the result like any other path.
func (p *Project) relative(typed string) string { return relative(p.Snapshot().Roots, typed) }

func relative(roots []api.Root, typed string) string {
	if !filepath.IsAbs(typed) {
		return typed
	}
	slashed := strings.TrimSuffix(filepath.ToSlash(typed), "/") + "/"
	for _, r := range roots {
		rest, inside := strings.CutPrefix(slashed, strings.TrimSuffix(filepath.ToSlash(r.Path), "/")+"/")
		if !inside {
			continue
		}
		if !strings.HasSuffix(filepath.ToSlash(typed), "/") {
			rest = strings.TrimSuffix(rest, "/")
		}
		if r.Name != "" {
			rest = "@" + r.Name + "/" + rest
		}
		return rest
	}
	return typed
}

// pathOf is the path that somebody means by what was typed (search.Name).
func (p *Project) pathOf(typed string) string {
	names := p.names()
	defer names.release()
	name, _ := search.Name(known{names}, p.relative(typed))
	return name
}

// PathIn is the path in a project that somebody means by what was typed.
func (r *Registry) PathIn(root, typed string) string {
	if p := r.Find(root); p != nil {
		return p.pathOf(typed)
	}
	return typed
}

// allowed reports whether a path of the project may be shown.
func (p *Project) allowed(path string) bool { return p.actor.Tree().Path(path) == api.SkipNone }

// readNow reads a file of the project as it is on disk, through policy.
func (p *Project) readNow(path string) ([]byte, bool) {
	data, _, reason, err := p.actor.Tree().Read(path)
	return data, err == nil && reason == api.SkipNone
}

// names is a find.Reader: the project's own index, and over it the shared one that it subscribes to.
type names struct {
	*store.View
	shared  *share.View
	visible func(path string) bool
}

func (p *Project) names() *names {
	n := &names{View: p.actor.View()}
	if s := p.subscription.Load(); s != nil {
		n.shared, n.visible = s.copy.View(), p.sharedVisible()
	}
	return n
}

func (n *names) release() {
	n.View.Release()
	if n.shared != nil {
		n.shared.Release()
	}
}

// Holding implements find.Reader.
func (n *names) Holding(ctx context.Context, wanted store.Names) (store.Held, error) {
	held, err := n.View.Holding(ctx, wanted)
	if err != nil || n.shared == nil {
		return held, err
	}
	more, err := n.shared.Holding(ctx, wanted)
	if err != nil {
		return held, ctx.Err() // the project's own index answers
	}
	held.Rest += more.Rest
	for _, row := range more.Rows {
		if n.visible(row.Path) {
			held.Rows = append(held.Rows, row)
		}
	}
	return held, nil
}

// Like implements find.Reader.
func (n *names) Like(ctx context.Context, name string, limit int) ([]string, []store.Row, error) {
	words, rows, err := n.View.Like(ctx, name, limit)
	if err != nil || n.shared == nil || len(words) > 0 {
		return words, rows, err
	}
	more, their, err := n.shared.Like(ctx, name, limit)
	if err != nil {
		return nil, nil, ctx.Err()
	}
	for _, row := range their {
		if n.visible(row.Path) {
			rows = append(rows, row)
		}
	}
	return more, rows, nil
}

// Paths implements find.Outliner.
func (n *names) Paths(c api.Corpus) []string {
	if n.shared == nil {
		return n.View.Paths(c)
	}
	all := slices.Clone(n.View.Paths(c))
	for _, path := range n.shared.Paths(c) {
		if n.visible(path) {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// known lists all paths of both indexes, whatever is on the disk now: what a name may mean.
type known struct{ *names }

// Paths implements search.Lister.
func (k known) Paths(c api.Corpus) []string {
	return (&names{View: k.View, shared: k.shared, visible: func(string) bool { return true }}).Paths(c)
}

// Popular implements find.Outliner.
func (n *names) Popular(ctx context.Context, limit int, admit func(path string) bool) ([]text.Popular, error) {
	own, err := n.View.Popular(ctx, limit, admit)
	if err != nil || n.shared == nil {
		return own, err
	}
	more, err := n.shared.Popular(ctx, limit, func(path string) bool { return admit(path) && n.visible(path) })
	if err != nil {
		return own, ctx.Err() // the project's own index answers
	}
	at := map[string]int{}
	for i, p := range own {
		at[p.Word] = i
	}
	for _, p := range more {
		if i, ok := at[p.Word]; ok {
			own[i].Uses += p.Uses
			own[i].Rows = append(own[i].Rows, p.Rows...)
		} else {
			own = append(own, p)
		}
	}
	slices.SortStableFunc(own, func(a, b text.Popular) int { return cmp.Compare(b.Uses, a.Uses) })
	return own[:min(len(own), limit)], nil
}

// Chunks implements find.Outliner.
func (n *names) Chunks(ctx context.Context, c api.Corpus, ids []string) (map[string]api.Chunk, error) {
	own, err := n.View.Chunks(ctx, c, ids)
	if err != nil || n.shared == nil {
		return own, err
	}
	more, err := n.shared.Chunks(ctx, c, ids)
	if err != nil {
		return own, ctx.Err()
	}
	for id, m := range more {
		if _, ok := own[id]; !ok && n.visible(m.Path) {
			own[id] = m
		}
	}
	return own, nil
}
