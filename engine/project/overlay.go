package project

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/share"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// overlay reads a project's own index and its shared index. In the shared index, it finds only files that equal the
// local file.
type overlay struct {
	*store.View
	shared  *share.View // nil if the project has no shared index
	visible func(path string) bool
	log     *slog.Logger
}

func (p *Project) overlay() *overlay {
	o := &overlay{View: p.actor.View(), log: p.log}
	if s := p.subscription.Load(); s != nil {
		o.shared, o.visible = s.copy.View(), p.sharedVisible()
	}
	return o
}

func (o *overlay) release() {
	o.View.Release()
	if o.shared != nil {
		o.shared.Release()
	}
}

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

func (o *overlay) sharedFailed(err error) bool {
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrClosed) {
		o.log.Warn("shared index failed", "err", err)
	}
	return err != nil
}

func added[T any](o *overlay, rows []T, err error, path func(T) string) []T {
	if o.sharedFailed(err) {
		return nil
	}
	return slices.DeleteFunc(rows, func(row T) bool { return !o.visible(path(row)) })
}

func (o *overlay) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	own, err := o.View.Text(ctx, corpus, q)
	if err != nil || o.shared == nil {
		return own, err
	}
	more, err := o.shared.Text(ctx, corpus, q)
	own = append(own, added(o, more, err, func(h store.TextHit) string { return h.Path })...)
	slices.SortStableFunc(own, func(a, b store.TextHit) int { return cmp.Compare(b.Score, a.Score) })
	return own[:min(len(own), max(q.K, 0))], nil
}

// Nearest searches the vectors of both indexes. The shared index has no static vectors.
func (o *overlay) Nearest(ctx context.Context, corpus api.Corpus, vec api.Vector, k int,
	f store.Filter) ([]store.VectorHit, error) {
	own, err := o.View.Nearest(ctx, corpus, vec, k, f)
	if f.Static || o.shared == nil || err != nil && !errors.Is(err, store.ErrVectors) {
		return own, err
	}
	more, sharedErr := o.shared.Nearest(ctx, corpus, vec, k, f)
	if more = added(o, more, sharedErr, func(h store.VectorHit) string { return h.Path }); len(more) > 0 {
		own, err = append(own, more...), nil
	}
	slices.SortStableFunc(own, func(a, b store.VectorHit) int { return cmp.Compare(b.Score, a.Score) })
	return own[:min(len(own), k)], err
}

// Chunks reads chunks from both indexes. A chunk has the same ID in both.
func (o *overlay) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error) {
	own, err := o.View.Chunks(ctx, corpus, ids)
	if err != nil || o.shared == nil || len(own) == len(ids) {
		return own, err
	}
	more, err := o.shared.Chunks(ctx, corpus, ids)
	o.sharedFailed(err)
	for id, c := range more {
		if _, ok := own[id]; !ok && o.visible(c.Path) {
			own[id] = c
		}
	}
	return own, nil
}

func pathOfRow(row store.Row) string { return row.Path }

func (o *overlay) FilesWith(ctx context.Context, wanted store.Names) (store.FileList, error) {
	held, err := o.View.FilesWith(ctx, wanted)
	if err != nil || o.shared == nil {
		return held, err
	}
	more, err := o.shared.FilesWith(ctx, wanted)
	held.Omitted += more.Omitted
	held.Rows = append(held.Rows, added(o, more.Rows, err, pathOfRow)...)
	return held, nil
}

func (o *overlay) Like(ctx context.Context, name string, limit int) ([]string, []store.Row, error) {
	words, rows, err := o.View.Like(ctx, name, limit)
	if err != nil || o.shared == nil || len(words) > 0 {
		return words, rows, err
	}
	words, more, err := o.shared.Like(ctx, name, limit)
	return words, append(rows, added(o, more, err, pathOfRow)...), nil
}

func (o *overlay) Paths(c api.Corpus) []string {
	if o.shared == nil {
		return o.View.Paths(c)
	}
	more := added(o, slices.Clone(o.shared.Paths(c)), nil, func(path string) string { return path })
	all := slices.Concat(o.View.Paths(c), more)
	slices.Sort(all)
	return slices.Compact(all)
}

// known is an overlay in which Paths also lists files of the shared index that were changed or deleted locally.
type known struct{ *overlay }

func (k known) Paths(c api.Corpus) []string {
	return (&overlay{View: k.View, shared: k.shared, visible: func(string) bool { return true }}).Paths(c)
}

func (o *overlay) Popular(ctx context.Context, limit int, admit func(path string) bool) ([]text.Popular, error) {
	own, err := o.View.Popular(ctx, limit, admit)
	if err != nil || o.shared == nil {
		return own, err
	}
	more, err := o.shared.Popular(ctx, limit, func(path string) bool { return admit(path) && o.visible(path) })
	o.sharedFailed(err)
	at := map[string]int{}
	for i, p := range own {
		at[p.Word] = i
	}
	for _, p := range more {
		if i, ok := at[p.Word]; ok {
			own[i].Uses += p.Uses
			maps.Copy(own[i].Names, p.Names)
		} else {
			own = append(own, p)
		}
	}
	slices.SortStableFunc(own, func(a, b text.Popular) int { return cmp.Compare(b.Uses, a.Uses) })
	return own[:min(len(own), limit)], nil
}

func (p *Project) hasDocs(snap api.Project) bool {
	s := p.subscription.Load()
	return snap.DocFiles > 0 || s != nil && s.copy.State().DocFiles > 0
}
