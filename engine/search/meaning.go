package search

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"searchmcp/engine/store"
)

// meaning is the vector side of a search, which runs beside the text side.
type meaning struct {
	cancel   context.CancelFunc
	answer   chan vectorAnswer
	embedded atomic.Bool // the query has its vector
}

type vectorAnswer struct {
	hits []store.VectorHit
	err  error
}

// begin starts the vector side. It ends with cancel, which its caller owes.
func begin(ctx context.Context, r Reader, req Request) *meaning {
	m := &meaning{answer: make(chan vectorAnswer, 1)}
	ctx, m.cancel = context.WithCancel(ctx)
	go func() {
		hits, err := m.nearest(ctx, r, req)
		m.answer <- vectorAnswer{hits, err}
	}()
	return m
}

func (m *meaning) nearest(ctx context.Context, r Reader, req Request) ([]store.VectorHit, error) {
	v, err := req.Embedder.Query(ctx, req.Query.Text)
	if err != nil {
		return nil, fmt.Errorf("embed query: %w", err)
	}
	m.embedded.Store(true)
	found, err := r.Nearest(ctx, req.Query.Corpus, v, candidates, store.Filter{
		PathGlob: req.Query.PathGlob, Language: req.Query.Language, Paths: req.admit,
	})
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	return found, nil
}

// wait returns what was found, or a note for the reader that says why there is nothing. The error is the end of ctx.
func (m *meaning) wait(ctx context.Context, req Request) (hits []store.VectorHit, note string, err error) {
	patience := vectorPatience
	if req.Patience > 0 {
		patience = req.Patience
	}
	late := time.NewTimer(patience)
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
