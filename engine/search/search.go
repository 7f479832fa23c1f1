package search

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search/commit"
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

// History knows which files were changed for what.
type History interface {
	// Files scores files, [0,1], by the commits whose messages are like words in lower case.
	Files(words []string) map[string]float64
	// Scope tells how far the commits of any of these scopes changed a path, [0,1], and how many they are.
	Scope(names []string) (changed func(path string) float64, commits int)
}

// Request is one search of one project.
type Request struct {
	Query    api.Query
	Coverage float64  // share of the corpus's chunks that have a vector
	Embedder Embedder // nil: no vectors of the model
	// Static makes a static vector of a question, nil: there are none. StaticCoverage is the share of the chunks that
	// are compared with it: of those without a vector of the model, with Light of all.
	Static         func(text string) api.Vector
	StaticCoverage float64
	Light          bool
	// Allowed reports whether a path may be shown now, whatever the index holds.
	Allowed func(path string) bool
	Paths   Lister  // what Query.PathGlob may name; nil: it is a glob
	History History // nil: the project has none
	Log     *slog.Logger
	// VectorTimeout is how long to wait for the vector search after the lexical one has ended; 0 means vectorTimeout.
	VectorTimeout time.Duration

	candidateFilter func(path string) bool // nil: every path may be a candidate
}

// Candidates per retriever. Fewer lose files that only one of them finds; more changed no top ten of the benchmark.
const maxCandidates = 200

// vectorTimeout bounds the wait for the query's vector and its neighbours after the lexical search has ended. Loading
// the model takes 32 ms on an idle machine and thirty times that under load; a lexical-only answer is worse than a
// late one. A vector search that fails ends the wait at once.
const vectorTimeout = 1500 * time.Millisecond

// Run answers a query; answer.Shape gives the hits their text. Scores are in [0,1] and fall with rank. Total is the
// number of hits before top_k and offset.
func Run(ctx context.Context, r Reader, req Request) (api.Results, error) {
	ranked, err := Rank(ctx, r, req)
	if err != nil {
		return api.Results{}, err
	}
	return ranked.Results(true), nil
}

// Ranked is a search that knows its candidates and reads nothing any more. What they say is the longer part of the
// rest, which a project that is weak beside others is spared.
type Ranked struct {
	Strength float64 // of the best hit, [0,1]; Compare makes it comparable between projects
	rank     ranking
	query    api.Query
	out      api.Results
	likeness float64 // of the nearest vectors to the query, [0,1]; strength where there are none
}

// Results are what the search found, or all but its hits.
func (r *Ranked) Results(hits bool) api.Results {
	began, out := time.Now(), r.out
	if hits {
		r.rank.results(r.query, r.Strength, &out)
	}
	out.Took += time.Since(began)
	return out
}

// Rank is the first part of Run.
func Rank(ctx context.Context, r Reader, req Request) (*Ranked, error) {
	began := time.Now()
	req.Query.Text = commit.WithoutReferences(req.Query.Text)
	q := req.Query
	out := api.Results{Coverage: min(1, req.Coverage+req.StaticCoverage), Static: req.StaticCoverage}
	parsed := parseQuery(q)
	if q.PathGlob != "" {
		match, err := PathFilter(req.Paths, q.PathGlob)
		if err != nil {
			return nil, err
		}
		req.candidateFilter = match
	}
	if match := req.candidateFilter; q.IncludeTests != nil && !*q.IncludeTests {
		req.candidateFilter = func(p string) bool { return roleOf(p)&isTest == 0 && (match == nil || match(p)) }
	}

	var vectorSide *vectorSearch
	if (req.asksModel() || req.asksStatic()) && !q.LexicalOnly {
		vectorSide = startVectorSearch(ctx, r, req)
		defer vectorSide.cancel()
	}
	known := isWord
	if parsed.kind == symbol || parsed.kind == filePath {
		known = nil // a name that the index has not is misspelt, word or not
	}
	parsed.corrected = map[string][]string{}
	lexical, err := r.Text(ctx, q.Corpus, store.TextQuery{
		Text: q.Text, K: maxCandidates, Weights: fieldsOf(parsed.kind), Language: q.Language,
		Fuzzy: true, Known: known, Filter: req.candidateFilter,
		Corrected: parsed.correct,
	})
	if err != nil {
		return nil, fmt.Errorf("search text: %w", err)
	}
	if text := parsed.correctedText(q.Text); vectorSide != nil && text != q.Text {
		vectorSide.cancel()
		again := req
		again.Query.Text = text
		vectorSide = startVectorSearch(ctx, r, again)
		defer vectorSide.cancel()
	}
	var vectors []store.VectorHit
	vectorShare := 0.0
	if vectorSide != nil {
		note := ""
		if vectors, vectorShare, note, err = vectorSide.wait(ctx, req); err != nil {
			return nil, err
		}
		if out.Semantic = vectorShare > 0; note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	parsed.setWeights(lexical)
	rank := ranking{q: &parsed, w: weightsFor(&parsed, vectorShare),
		static: vectorSide != nil && vectorSide.static != nil}
	rank.candidates, rank.outlines = gather(lexical, vectors, req.Allowed)
	if req.History != nil && rank.w[ofHistory] > 0 {
		rank.history = req.History.Files(parsed.historyTerms())
		if parsed.scope != nil {
			rank.scopeChanged, rank.scopeCommits = req.History.Scope(parsed.scope)
		}
	}
	rank.scoreByIndex()
	chunks, err := r.Chunks(ctx, q.Corpus, rank.ids())
	if err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	rank.rescoreByText(chunks)
	rank.removeDuplicates()
	out.Took = time.Since(began)
	strength := rank.absoluteScore(out.Semantic)
	return &Ranked{strength, rank, q, out, likeness(&parsed, vectors, strength)}, nil
}
