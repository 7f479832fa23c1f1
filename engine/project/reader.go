package project

import (
	"context"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// reader is a reference-counted overlay. A search may time out while its vector query is still running, so the last
// call to return releases the view. damaged is called with each error and repairs a damaged index.
type reader struct {
	view    *overlay
	damaged func(error)

	mu   sync.Mutex // leaf
	refs int        // the search and its calls
}

func (r *reader) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refs--; r.refs == 0 {
		r.view.release()
	}
}

// during calls read unless the view has been released.
func during[T any](r *reader, read func() (T, error)) (out T, err error) {
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
	if out, err = read(); err != nil {
		r.damaged(err)
	}
	return out, err
}

func (r *reader) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	return during(r, func() ([]store.TextHit, error) { return r.view.Text(ctx, corpus, q) })
}

func (r *reader) Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int,
	f store.Filter) ([]store.VectorHit, error) {
	return during(r, func() ([]store.VectorHit, error) { return r.view.Nearest(ctx, corpus, v, k, f) })
}

func (r *reader) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error) {
	return during(r, func() (map[string]api.Chunk, error) { return r.view.Chunks(ctx, corpus, ids) })
}
