package project

import (
	"context"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// reader reads the indexes for one search. It calls damaged with each error.
type reader struct {
	view    *overlay
	damaged func(error)

	mu   sync.Mutex // guards refs
	refs int        // 1 for the search, and 1 for each running call
}

func (r *reader) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refs--; r.refs == 0 {
		r.view.release()
	}
}

// withView calls f, unless the view has been released.
func withView[T any](r *reader, f func() (T, error)) (out T, err error) {
	r.mu.Lock()
	released := r.refs == 0
	if !released {
		r.refs++
	}
	r.mu.Unlock()
	if released {
		return out, store.ErrClosed
	}
	defer r.release()
	if out, err = f(); err != nil {
		r.damaged(err)
	}
	return out, err
}

func (r *reader) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	return withView(r, func() ([]store.TextHit, error) { return r.view.Text(ctx, corpus, q) })
}

func (r *reader) Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int,
	f store.Filter) ([]store.VectorHit, error) {
	return withView(r, func() ([]store.VectorHit, error) { return r.view.Nearest(ctx, corpus, v, k, f) })
}

func (r *reader) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error) {
	return withView(r, func() (map[string]api.Chunk, error) { return r.view.Chunks(ctx, corpus, ids) })
}
