package search

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"searchmcp/engine/store"
)

// vectorSearch is the vector half of a search. It runs in parallel with the lexical half.
type vectorSearch struct {
	cancel   context.CancelFunc
	answer   chan vectorAnswer
	embedded atomic.Bool // the query is embedded
}

type vectorAnswer struct {
	hits []store.VectorHit
	err  error
}

// startVectorSearch starts the vector search. The caller must call cancel.
func startVectorSearch(ctx context.Context, r Reader, req Request) *vectorSearch {
	m := &vectorSearch{answer: make(chan vectorAnswer, 1)}
	ctx, m.cancel = context.WithCancel(ctx)
	go func() {
		hits, err := m.nearest(ctx, r, req)
		m.answer <- vectorAnswer{hits, err}
	}()
	return m
}

func (m *vectorSearch) nearest(ctx context.Context, r Reader, req Request) ([]store.VectorHit, error) {
	v, err := req.Embedder.Query(ctx, req.Query.Text)
	if err != nil {
		return nil, fmt.Errorf("embed query: %w", err)
	}
	m.embedded.Store(true)
	found, err := r.Nearest(ctx, req.Query.Corpus, v, maxCandidates, store.Filter{
		Language: req.Query.Language, Paths: req.candidateFilter,
	})
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	return found, nil
}

// wait returns the hits, or a note for people that says why there are none. The error is ctx's.
func (m *vectorSearch) wait(ctx context.Context, req Request) (hits []store.VectorHit, note string, err error) {
	timeout := vectorTimeout
	if req.VectorTimeout > 0 {
		timeout = req.VectorTimeout
	}
	late := time.NewTimer(timeout)
	defer late.Stop()
	select {
	case a := <-m.answer:
		switch {
		case a.err == nil:
			return a.hits, "", nil
		case ctx.Err() != nil:
			return nil, "", context.Cause(ctx)
		}
		req.Log.Warn("search by meaning failed", "err", a.err)
		return nil, "Searched by words only: searching by meaning isn't available right now.", nil
	case <-late.C:
	case <-ctx.Done():
		return nil, "", context.Cause(ctx)
	}
	if m.embedded.Load() {
		return nil, "Searched by words only: comparing meanings takes too long right now.", nil
	}
	return nil, "Searched by words only: the model is still loading.", nil
}
