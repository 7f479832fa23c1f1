package search

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// Reader is what a search reads: a store's view.
type Reader interface {
	// Text returns the best hits of a query in the text index, best first.
	Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error)
	// Nearest returns the k chunks whose vectors are closest to v, closest first.
	Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int, f store.Filter) ([]store.VectorHit, error)
	// Chunks returns stored chunks by id.
	Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error)
}

// Embedder makes the query's vector.
type Embedder interface {
	Query(ctx context.Context, text string) (api.Vector, error)
}

// Request is one search of one project.
type Request struct {
	Query    api.Query
	Coverage float64  // share of the corpus's chunks that have a vector
	Embedder Embedder // nil: by text alone
	// Allowed says whether a path may be shown now, whatever the index holds.
	Allowed func(path string) bool
	Log     *slog.Logger
}

// Candidates per side. Measured on docstring questions, more than this changes no first ten; fewer lose files that only
// one side finds.
const candidates = 150

// vectorPatience is how long a search waits for the query's vector and its neighbours beyond the text side: enough to
// load the model after it was unloaded, short enough that a search by text alone is never slow because of it.
const vectorPatience = 400 * time.Millisecond

// Run answers a query. The hits carry scores in [0,1] that fall with rank; how many there were before top_k and offset is
// in Total.
func Run(ctx context.Context, r Reader, req Request) (api.Results, error) {
	began := time.Now()
	q := req.Query
	out := api.Results{Coverage: req.Coverage}

	semantic := make(chan vectorAnswer, 1)
	vctx, cancel := context.WithTimeout(ctx, vectorPatience)
	defer cancel()
	withVectors := req.Embedder != nil && req.Coverage > 0 && !q.LexicalOnly
	if withVectors {
		go func() { semantic <- nearest(vctx, r, req) }()
	}
	lexical, err := r.Text(ctx, q.Corpus, store.TextQuery{
		Text: q.Text, K: candidates, PathGlob: q.PathGlob, Language: q.Language,
	})
	if err != nil {
		return out, fmt.Errorf("search text: %w", err)
	}
	var vectors []store.VectorHit
	if withVectors {
		select {
		case a := <-semantic:
			switch {
			case a.err == nil:
				vectors, out.Semantic = a.hits, true
			case ctx.Err() != nil:
				return out, context.Cause(ctx)
			default:
				req.Log.Warn("search by meaning failed", "err", a.err)
				out.Notes = append(out.Notes, "Searched by words only: searching by meaning isn't available right now.")
			}
		case <-vctx.Done():
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
			out.Notes = append(out.Notes, "Searched by words only: the model is still loading.")
		}
	}
	ranked := fuse(lexical, vectors, req)
	out.Total = len(ranked)
	ranked = page(ranked, q.Offset, q.TopK)
	if out.Hits, err = hits(ctx, r, q, ranked); err != nil {
		return out, err
	}
	out.Truncated = out.Total > q.Offset+len(out.Hits)
	out.Took = time.Since(began)
	return out, nil
}

type vectorAnswer struct {
	hits []store.VectorHit
	err  error
}

func nearest(ctx context.Context, r Reader, req Request) vectorAnswer {
	v, err := req.Embedder.Query(ctx, req.Query.Text)
	if err != nil {
		return vectorAnswer{err: fmt.Errorf("embed query: %w", err)}
	}
	found, err := r.Nearest(ctx, req.Query.Corpus, v, candidates,
		store.Filter{PathGlob: req.Query.PathGlob, Language: req.Query.Language})
	if err != nil {
		return vectorAnswer{err: fmt.Errorf("search vectors: %w", err)}
	}
	return vectorAnswer{hits: found}
}

// candidate is a chunk on its way to becoming a hit.
type candidate struct {
	id, path      string
	text, meaning float64 // [0,1] within this query; what each side gave
	score         float64
}

// The share of each side. Measured here on questions in words, 0.2 text and 0.8 meaning beat every rank fusion; where
// only a part of the chunks has vectors their side weighs less, since it cannot see the rest.
const meaningWeight = 0.8

func fuse(lexical []store.TextHit, vectors []store.VectorHit, req Request) []candidate {
	byID := map[string]*candidate{}
	at := func(id, path string) *candidate {
		c := byID[id]
		if c == nil {
			c = &candidate{id: id, path: path}
			byID[id] = c
		}
		return c
	}
	if len(lexical) > 0 {
		top := lexical[0].Score
		for _, h := range lexical {
			at(h.ID, h.Path).text = h.Score / top
		}
	}
	if len(vectors) > 0 {
		top, low := vectors[0].Score, vectors[len(vectors)-1].Score
		for _, h := range vectors {
			at(h.ID, h.Path).meaning = spread(h.Score, low, top)
		}
	}
	w := meaningWeight * req.Coverage
	if len(vectors) == 0 {
		w = 0
	}
	out := make([]candidate, 0, len(byID))
	for _, c := range byID {
		if !req.Allowed(c.path) {
			continue
		}
		c.score = (1-w)*c.text + w*c.meaning
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path), cmp.Compare(a.id, b.id))
	})
	return out
}

// spread maps a similarity between those of the farthest and the closest candidate to [0,1].
func spread(s, low, top float64) float64 {
	if top <= low {
		return 1
	}
	return (s - low) / (top - low)
}

func page(all []candidate, offset, k int) []candidate {
	if offset >= len(all) {
		return nil
	}
	return all[offset:min(len(all), offset+k)]
}

func hits(ctx context.Context, r Reader, q api.Query, ranked []candidate) ([]api.Hit, error) {
	ids := make([]string, len(ranked))
	for i, c := range ranked {
		ids[i] = c.id
	}
	chunks, err := r.Chunks(ctx, q.Corpus, ids)
	if err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	out := make([]api.Hit, 0, len(ranked))
	for _, c := range ranked {
		chunk, ok := chunks[c.id]
		if !ok {
			continue // replaced since the candidates were found
		}
		h := api.Hit{
			Path: chunk.Path, Text: chunk.Text, Score: min(1, max(0, c.score)), StartLine: chunk.StartLine, EndLine: chunk.EndLine,
			Language: chunk.Language, Breadcrumb: breadcrumb(chunk.Breadcrumb),
		}
		if q.Explain {
			h.Explain = []api.Factor{{Name: "text", Value: c.text}, {Name: "meaning", Value: c.meaning}}
		}
		out = append(out, h)
	}
	return out, nil
}

func breadcrumb(parts []string) string {
	s := ""
	for i, p := range parts {
		if i > 0 {
			s += " › "
		}
		s += p
	}
	return s
}
