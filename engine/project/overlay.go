package project

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/share"
	"searchmcp/engine/store"
)

// overlay merges a project's own index with the shared one that it subscribes to. A hit of the shared index is visible
// while the file's stamp is the one under which its content was found to match, so what was changed or deleted here is
// never answered from there.
type overlay struct {
	*reader
	shared  *share.Copy
	visible func(path string) bool
	log     *slog.Logger
}

// searchReader returns what a search of the project reads: r, as an overlay of the shared index if there is one.
func (p *Project) searchReader(r *reader, log *slog.Logger) search.Reader {
	s := p.subscription.Load()
	if s == nil {
		return r
	}
	return &overlay{reader: r, shared: s.copy, visible: p.sharedVisible(), log: log}
}

// sharedVisible decides which paths of the shared index are visible, with one stat for each.
func (p *Project) sharedVisible() func(path string) bool {
	tree := p.actor.Tree()
	var mu sync.Mutex
	seen := map[string]bool{}
	return func(path string) bool {
		mu.Lock()
		defer mu.Unlock()
		v, ok := seen[path]
		if !ok {
			now, reason, err := tree.Stat(path)
			v = err == nil && reason == api.SkipNone && p.actor.MatchesShared(path, now)
			seen[path] = v
		}
		return v
	}
}

// askShared returns what the shared index adds, nothing if it cannot answer: the project's own index does.
func askShared[T any](o *overlay, what string, ask func(v *share.View) ([]T, error)) []T {
	v := o.shared.View()
	if v == nil {
		return nil
	}
	defer v.Release()
	list, err := ask(v)
	if err != nil {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrClosed) {
			o.log.Warn("shared index did not answer", "what", what, "err", err)
		}
		return nil
	}
	return list
}

// Text implements search.Reader.
func (o *overlay) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	own, err := o.reader.Text(ctx, corpus, q)
	if err != nil {
		return nil, err
	}
	added := askShared(o, "words", func(v *share.View) ([]store.TextHit, error) { return v.Text(ctx, corpus, q) })
	for _, h := range added {
		if o.visible(h.Path) {
			own = append(own, h)
		}
	}
	slices.SortStableFunc(own, func(a, b store.TextHit) int { return cmp.Compare(b.Score, a.Score) })
	return own[:min(len(own), max(q.K, 0))], nil
}

// Nearest implements search.Reader.
func (o *overlay) Nearest(ctx context.Context, corpus api.Corpus, vec api.Vector, k int,
	f store.Filter) ([]store.VectorHit, error) {
	own, err := o.reader.Nearest(ctx, corpus, vec, k, f)
	if f.Static {
		return own, err // a shared index has the model's alone
	}
	if err != nil && !errors.Is(err, store.ErrVectors) {
		return nil, err
	}
	added := askShared(o, "meaning", func(v *share.View) ([]store.VectorHit, error) {
		return v.Nearest(ctx, corpus, vec, k, f)
	})
	for _, h := range added {
		if o.visible(h.Path) {
			own, err = append(own, h), nil
		}
	}
	slices.SortStableFunc(own, func(a, b store.VectorHit) int { return cmp.Compare(b.Score, a.Score) })
	return own[:min(len(own), k)], err
}

// Chunks implements search.Reader. The same chunk has the same id on both sides.
func (o *overlay) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error) {
	own, err := o.reader.Chunks(ctx, corpus, ids)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := own[id]; return ok })
	if len(rest) == 0 {
		return own, nil
	}
	askShared(o, "chunks", func(v *share.View) ([]struct{}, error) {
		found, err := v.Chunks(ctx, corpus, rest)
		for id, c := range found {
			if o.visible(c.Path) {
				own[id] = c
			}
		}
		return nil, err
	})
	return own, nil
}

// hasDocs reports whether there is anything in the documents' corpus.
func (p *Project) hasDocs(snap api.Project) bool {
	s := p.subscription.Load()
	return snap.DocFiles > 0 || s != nil && s.copy.State().DocFiles > 0
}
