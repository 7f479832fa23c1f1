package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"searchmcp/engine/store"
)

// vectorSearch is a search in vectors, in parallel with the lexical search.
type vectorSearch struct {
	cancel   context.CancelFunc
	answer   chan vectorAnswer // from the model's vectors; nil if not requested
	static   chan vectorAnswer // from static vectors; nil if not requested
	embedded atomic.Bool
}

type vectorAnswer struct {
	hits []store.VectorHit
	err  error
}

func (r *Request) asksModel() bool  { return r.Embedder != nil && r.Coverage > 0 }
func (r *Request) asksStatic() bool { return r.Static != nil && r.StaticCoverage > 0 }

// maxText is the maximum size in bytes of a passage whose vector is searched, about as much as the first window of a
// chunk's vector (embed.TextTokens). Longer passages did not find more. maxParts is the maximum number of parts of a
// report with a static vector. paragraphWeight is the weight of a paragraph relative to the title.
const (
	maxText         = 500
	maxParts        = 6
	paragraphWeight = 0.85
)

func clipped(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxText)], "") }

// parts returns the title and the first paragraphs of a report, or the whole query.
func (q *parsedQuery) parts() []string {
	parts := []string{q.whole}
	if q.kind == report && len(q.paragraphs) > 0 {
		parts = slices.Clone(q.paragraphs[:min(len(q.paragraphs), maxParts)])
	}
	for i, p := range parts {
		parts[i] = clipped(p)
	}
	return parts
}

// startVectorSearch searches in goroutines. The caller must call cancel.
func startVectorSearch(ctx context.Context, r Reader, req Request, parts []string) *vectorSearch {
	m := &vectorSearch{}
	ctx, m.cancel = context.WithCancel(ctx)
	start := func(nearest func(context.Context, Reader, Request, []string) ([]store.VectorHit, error)) chan vectorAnswer {
		answer := make(chan vectorAnswer, 1)
		go func() {
			hits, err := nearest(ctx, r, req, parts)
			answer <- vectorAnswer{hits, err}
		}()
		return answer
	}
	if req.asksModel() {
		m.answer = start(m.nearest)
	}
	if req.asksStatic() {
		m.static = start(nearestStatic)
	}
	return m
}

// nearest returns the neighbours of the model's vector of all parts. A separate vector per part found less
// (docs/ranking.md).
func (m *vectorSearch) nearest(ctx context.Context, r Reader, req Request, parts []string) ([]store.VectorHit, error) {
	v, err := req.Embedder.Query(ctx, clipped(strings.Join(parts, "\n")))
	if err != nil {
		return nil, fmt.Errorf("embed query: %w", err)
	}
	m.embedded.Store(true)
	found, err := r.Nearest(ctx, req.Query.Corpus, v, maxCandidates,
		store.Filter{Language: req.Query.Language, Paths: req.candidateFilter})
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	return found, nil
}

// closest merges two lists of neighbours. A chunk in both gets the higher score.
func closest(a, b []store.VectorHit) []store.VectorHit {
	if len(a) == 0 {
		return b
	}
	all := append(a, b...)
	slices.SortStableFunc(all, func(a, b store.VectorHit) int { return cmp.Compare(b.Score, a.Score) })
	seen := make(map[string]bool, len(all))
	all = slices.DeleteFunc(all, func(h store.VectorHit) bool {
		had := seen[h.ID]
		seen[h.ID] = true
		return had
	})
	return all[:min(len(all), maxCandidates)]
}

// staticSlope and staticOffset convert static cosines to the model's scale. In the median of questions, the 1st, 10th,
// 50th and 100th neighbour have the cosines 0.58, 0.47, 0.39 and 0.35 with static vectors, and 0.47, 0.33, 0.22 and
// 0.15 with the model's.
const (
	staticSlope  = 1.40
	staticOffset = -0.334
)

// nearestStatic returns the chunks nearest to the static vector of a part, scored on the model's scale.
func nearestStatic(ctx context.Context, r Reader, req Request, parts []string) (all []store.VectorHit, err error) {
	weight := 1.0
	for _, part := range parts {
		found, err := r.Nearest(ctx, req.Query.Corpus, req.Static(part), maxCandidates, store.Filter{
			Language: req.Query.Language, Paths: req.candidateFilter, Static: true, All: req.Light,
		})
		if err != nil {
			return nil, fmt.Errorf("search static vectors: %w", err)
		}
		for i := range found {
			found[i].Score = weight * (staticSlope*found[i].Score + staticOffset)
		}
		all, weight = closest(all, found), paragraphWeight
	}
	return all, nil
}

// wait returns the hits, the fraction of chunks searched, and a note to the user if the model's hits are missing. The
// only possible error is the cause of ctx.
func (m *vectorSearch) wait(ctx context.Context, req Request) (
	hits []store.VectorHit, share float64, note string, err error,
) {
	if m.answer != nil {
		hits, note, err = m.waitForModel(ctx, req)
		if err != nil {
			return nil, 0, "", err
		}
		if note == "" {
			share = req.Coverage
		}
	}
	if m.static == nil {
		return hits, share, note, nil
	}
	select {
	case a := <-m.static: // the static search does not block on I/O
		switch {
		case ctx.Err() != nil:
			return nil, 0, "", context.Cause(ctx)
		case a.err != nil:
			req.Log.Warn("search of static vectors failed", "err", a.err)
			return hits, share, note, nil
		}
		return closest(hits, a.hits), min(1, share+req.StaticCoverage), note, nil
	case <-ctx.Done():
		return nil, 0, "", context.Cause(ctx)
	}
}

func (m *vectorSearch) waitForModel(ctx context.Context, req Request) (
	hits []store.VectorHit, note string, err error,
) {
	timeout := vectorTimeout
	if req.VectorTimeout > 0 {
		timeout = req.VectorTimeout
	}
	late := time.NewTimer(timeout)
	defer late.Stop()
	text := "Searched by words only"
	if m.static != nil {
		text = "Searched by words and quick vectors only"
	}
	select {
	case a := <-m.answer:
		switch {
		case a.err == nil:
			return a.hits, "", nil
		case ctx.Err() != nil:
			return nil, "", context.Cause(ctx)
		}
		req.Log.Warn("semantic search failed", "err", a.err)
		return nil, text + ": search by meaning isn't available right now.", nil
	case <-late.C:
	case <-ctx.Done():
		return nil, "", context.Cause(ctx)
	}
	if m.embedded.Load() {
		return nil, text + ": the semantic search takes too long right now.", nil
	}
	return nil, text + ": the model is still loading.", nil
}
