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

// vectorSearch is a search by vectors, in parallel with the search by words.
type vectorSearch struct {
	model    <-chan vectorAnswer // nil if not requested
	static   <-chan vectorAnswer // nil if not requested
	embedded atomic.Bool
}

type vectorAnswer struct {
	hits []store.VectorHit
	err  error
}

func (r *Request) asksModel() bool  { return r.Embedder != nil && r.Coverage > 0 }
func (r *Request) asksStatic() bool { return r.Static != nil && r.StaticCoverage > 0 }

const (
	maxText         = 500  // maximum size in bytes of a text to search for; longer texts did not find more
	maxParts        = 6    // maximum number of parts of a report that are searched without the model
	paragraphWeight = 0.85 // weight of a paragraph relative to the title
)

func clipped(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxText)], "") }

// parts returns the texts whose vectors are searched: the title and first paragraphs of a report, or the whole query.
func (q *parsedQuery) parts() []string {
	if q.kind == report && len(q.paragraphs) > 0 {
		return q.paragraphs[:min(len(q.paragraphs), maxParts)]
	}
	return []string{q.whole}
}

// startVectorSearch starts the search in goroutines, which end when ctx is cancelled.
func startVectorSearch(ctx context.Context, r Reader, req Request, parts []string) *vectorSearch {
	m := &vectorSearch{}
	start := func(nearest func(context.Context, Reader, Request, []string) ([]store.VectorHit, error)) chan vectorAnswer {
		answer := make(chan vectorAnswer, 1)
		go func() {
			hits, err := nearest(ctx, r, req, parts)
			answer <- vectorAnswer{hits, err}
		}()
		return answer
	}
	if req.asksModel() {
		m.model = start(m.nearest)
	}
	if req.asksStatic() {
		m.static = start(nearestStatic)
	}
	return m
}

// nearest returns the chunks nearest to the model's vector of all parts. One vector per part found less
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

// closest merges two lists of neighbours. A chunk in both lists gets the higher score.
func closest(a, b []store.VectorHit) []store.VectorHit {
	all := append(a, b...)
	if len(a) == 0 || len(b) == 0 {
		return all
	}
	slices.SortStableFunc(all, func(a, b store.VectorHit) int { return cmp.Compare(b.Score, a.Score) })
	seen := make(map[string]bool, len(all))
	all = slices.DeleteFunc(all, func(h store.VectorHit) bool {
		had := seen[h.ID]
		seen[h.ID] = true
		return had
	})
	return all[:min(len(all), maxCandidates)]
}

// staticSlope and staticOffset convert cosines of vectors computed without the model. For a typical question, the 10th
// chunk has a cosine of 0.47 without the model and of 0.33 with it. The 100th chunk has 0.35 and 0.15.
const (
	staticSlope  = 1.40
	staticOffset = -0.334
)

// nearestStatic searches for each part of the query by its static vector, which needs no embedding model.
func nearestStatic(ctx context.Context, r Reader, req Request, parts []string) (all []store.VectorHit, err error) {
	weight := 1.0
	for _, part := range parts {
		found, err := r.Nearest(ctx, req.Query.Corpus, req.Static(clipped(part)), maxCandidates, store.Filter{
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

// wait returns the hits, the fraction of chunks searched, and a note if the model's hits are missing. It fails only if
// ctx ends.
func (m *vectorSearch) wait(ctx context.Context, req Request) (hits []store.VectorHit, share float64, note string,
	err error) {
	var model, static vectorAnswer
	if m.static != nil {
		if static = <-m.static; static.err == nil {
			share = req.StaticCoverage
		}
	}
	if m.model != nil {
		select {
		case model = <-m.model:
			if model.err == nil {
				share += req.Coverage
			} else {
				note = "search by meaning isn't available right now."
			}
		case <-time.After(cmp.Or(req.VectorTimeout, vectorTimeout)):
			if note = "the model is still loading."; m.embedded.Load() {
				note = "the semantic search takes too long right now."
			}
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return nil, 0, "", context.Cause(ctx)
	}
	for _, a := range []vectorAnswer{static, model} {
		if a.err != nil {
			req.Log.Warn("vector search failed", "err", a.err)
		}
	}
	switch {
	case note != "" && m.static != nil:
		note = "Searched by words and quick vectors only: " + note
	case note != "":
		note = "Searched by words only: " + note
	}
	return closest(model.hits, static.hits), min(1, share), note, nil
}
