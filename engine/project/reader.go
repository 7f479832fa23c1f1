package project

import (
	"context"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// reader is a reference-counted overlay for one search. A search may time out while its vector query still runs, so
// the last call releases the view. Read errors are passed to damaged, which repairs the index.
type reader struct {
	view    *overlay
	damaged func(error)

	mu    sync.Mutex // leaf
	refs  int
	ended bool // the search has returned
}

func (r *Registry) newReader(p *Project) *reader {
	return &reader{view: p.overlay(), damaged: func(err error) { r.repair(p, err) }}
}

// release ends the search.
func (r *reader) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if r.refs == 0 {
		r.view.release()
	}
}

func (r *reader) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	r.refs++
	return true
}

func (r *reader) leave(err error) {
	r.mu.Lock()
	r.refs--
	if r.ended && r.refs == 0 {
		r.view.release()
	}
	r.mu.Unlock()
	if err != nil {
		r.damaged(err)
	}
}

// Text implements search.Reader.
func (r *reader) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) (hits []store.TextHit, err error) {
	if !r.enter() {
		return nil, store.ErrClosed
	}
	defer func() { r.leave(err) }()
	return r.view.Text(ctx, corpus, q)
}

// Nearest implements search.Reader.
func (r *reader) Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int,
	f store.Filter) (hits []store.VectorHit, err error) {
	if !r.enter() {
		return nil, store.ErrClosed
	}
	defer func() { r.leave(err) }()
	return r.view.Nearest(ctx, corpus, v, k, f)
}

// Chunks implements search.Reader.
func (r *reader) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (chunks map[string]api.Chunk, err error) {
	if !r.enter() {
		return nil, store.ErrClosed
	}
	defer func() { r.leave(err) }()
	return r.view.Chunks(ctx, corpus, ids)
}
