package search

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
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
	// Mode leaves out parts of the work, for measurements; zero is all of it.
	Mode Mode
	// Patience is how long the vector side is waited for beyond the text side; 0 means vectorPatience.
	Patience time.Duration

	admit func(path string) bool // what may be a candidate at all; nil: everything
}

// Mode says which stages of a search run.
type Mode int

// The modes.
const (
	ModeRanked Mode = iota // everything
	ModeWords              // everything but vectors
	ModeFused              // both sides mixed, no ranking rules
)

// Candidates per side. Fewer lose files that only one side finds; more changed no first ten of the benchmark.
const candidates = 200

// vectorPatience is how long a search waits for the query's vector and its neighbours beyond the text side. Loading the model again
// takes 32 ms on a free machine, and thirty times that on one that is overrun; an answer without meanings is worse than one that comes late.
// Who fails, instead of being slow, is not waited for.
const vectorPatience = 1500 * time.Millisecond

// Run answers a query. The hits carry scores in [0,1] that fall with rank; how many there were before top_k and offset is
// in Total.
func Run(ctx context.Context, r Reader, req Request) (api.Results, error) {
	began := time.Now()
	q := req.Query
	out := api.Results{Coverage: req.Coverage}
	asked := analyse(q)
	if q.PathGlob != "" {
		glob, err := globOf(q.PathGlob)
		if err != nil {
			return out, err
		}
		if !strings.ContainsAny(q.PathGlob, globSigns) {
			glob = strings.TrimSuffix(glob, "/") + "{,/**}" // a folder or a file
		}
		q.PathGlob, req.Query.PathGlob = glob, glob
	}

	if q.IncludeTests != nil && !*q.IncludeTests {
		req.admit = func(p string) bool { return placeOf(p)&inTests == 0 }
	}

	var side *meaning
	if req.Mode != ModeWords && req.Embedder != nil && req.Coverage > 0 && !q.LexicalOnly {
		side = begin(ctx, r, req)
		defer side.cancel()
	}
	var extra []text.Term
	if asked.kind == sentence || asked.kind == mixed {
		extra = expand(asked.words)
	}
	lexical, err := r.Text(ctx, q.Corpus, store.TextQuery{
		Extra: extra,
		Text:  q.Text, K: candidates, Weights: kinds[asked.kind].fields, PathGlob: q.PathGlob, Language: q.Language,
		Related: asked.kind != symbol && asked.kind != filePath, Fuzzy: true, Filter: req.admit,
	})
	if err != nil {
		return out, fmt.Errorf("search text: %w", err)
	}
	var vectors []store.VectorHit
	if side != nil {
		note := ""
		if vectors, note, err = side.wait(ctx, req); err != nil {
			return out, err
		}
		if out.Semantic = note == ""; !out.Semantic {
			out.Notes = append(out.Notes, note)
		}
	}
	asked.weigh(lexical)
	rank := ranking{q: &asked, w: kinds[asked.kind]}
	rank.all, rank.outlines = gather(lexical, vectors, req.Allowed)
	if out.Semantic {
		rank.coverage = req.Coverage
	}
	if req.Mode == ModeFused {
		rank.w = weights{meaning: rank.w.meaning}
	}
	rank.first()
	chunks, err := r.Chunks(ctx, q.Corpus, rank.ids())
	if err != nil {
		return out, fmt.Errorf("read chunks: %w", err)
	}
	rank.second(chunks)
	if req.Mode != ModeFused {
		rank.third()
	}
	rank.results(q, &out)
	out.Took = time.Since(began)
	return out, nil
}
