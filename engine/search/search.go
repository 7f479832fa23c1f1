package search

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/search/commit"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

type Reader interface {
	// Text returns the hits for a query in the text index, best first.
	Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error)
	// Nearest returns the k chunks whose vectors are nearest to v, nearest first.
	Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int, f store.Filter) ([]store.VectorHit, error)
	// Chunks returns the stored chunks with the given IDs.
	Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error)
}

type Embedder interface {
	Query(ctx context.Context, text string) (api.Vector, error)
}

type History interface {
	// Files scores files in [0,1] by the commits whose messages resemble the words. The words must be in lower case.
	Files(words []string) map[string]float64
	// Scope returns a function that scores paths in [0,1] by commits with one of these scopes, and the number of
	// commits.
	Scope(names []string) (changed func(path string) float64, commits int)
}

type Request struct {
	Query    api.Query
	Coverage float64  // fraction of chunks with a vector of the model
	Embedder Embedder // nil if the model is not used
	// Static computes a vector without the model. StaticCoverage is the fraction of chunks compared with such vectors:
	// all chunks if Light is set, otherwise chunks without a vector of the model.
	Static         func(text string) api.Vector
	StaticCoverage float64
	Light          bool
	// Allowed reports whether a path may be shown.
	Allowed       func(path string) bool
	Paths         Lister  // indexed paths, to find files named in Query.PathGlob; may be nil
	History       History // nil if the project has no history
	Log           *slog.Logger
	VectorTimeout time.Duration // replaces vectorTimeout unless 0

	candidateFilter func(path string) bool // nil if all paths are searched
}

const (
	maxCandidates = 200 // of each kind; more didn't change the first ten results
	// vectorTimeout limits the wait for vectors. Loading the model takes 32 ms, or thirty times as long on a busy
	// computer.
	vectorTimeout = 1500 * time.Millisecond
)

// Ranked is a ranked search in one project. Compare decides whether the project is relevant.
type Ranked struct {
	Strength float64 // score of the best hit, [0,1]
	rank     ranking
	query    api.Query
	out      api.Results
	likeness float64
}

// Results returns the requested page of hits, if hits is set, and notes. The scores are in [0,1], the highest first.
// Total counts the hits on all pages. answer.Shape sets the hits' text.
func (r *Ranked) Results(hits bool) api.Results {
	began, out := time.Now(), r.out
	if hits {
		r.rank.results(r.query, r.Strength, &out)
	}
	out.Took += time.Since(began)
	return out
}

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
	withoutTests := q.IncludeTests != nil && !*q.IncludeTests
	if match := req.candidateFilter; withoutTests {
		req.candidateFilter = func(p string) bool { return !IsTest(p) && (match == nil || match(p)) }
	}

	var vectorSide *vectorSearch
	if (req.asksModel() || req.asksStatic()) && !q.LexicalOnly {
		searchCtx, cancel := context.WithCancel(ctx)
		defer cancel()
		vectorSide = startVectorSearch(searchCtx, r, req, parsed.parts())
	}
	known := isWord
	if parsed.kind.isName() {
		known = nil // correct dictionary words too, if the index lacks them
	}
	parsed.corrected = map[string][]string{}
	lexical, err := r.Text(ctx, q.Corpus, store.TextQuery{
		Terms: parsed.words, K: maxCandidates, Language: q.Language,
		Fuzzy: true, Known: known, Filter: req.candidateFilter,
		Corrected: parsed.correct,
	})
	if err != nil {
		return nil, fmt.Errorf("search text: %w", err)
	}
	if withoutTests {
		note, err := onlyInTests(ctx, r, req, parsed.words, lexical)
		if err != nil {
			return nil, fmt.Errorf("search tests: %w", err)
		}
		if out.InTests = note != ""; out.InTests {
			out.Notes = append(out.Notes, note)
		}
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
		words:  answer.NewQuery(parsed.words, parsed.corrected),
		static: vectorSide != nil && vectorSide.static != nil, explain: q.Explain}
	ids := make([]string, 0, len(vectors))
	for _, h := range vectors {
		if h.EndLine > 0 {
			ids = append(ids, h.ID)
		}
	}
	chunks, err := r.Chunks(ctx, q.Corpus, ids)
	if err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	if parsed.kind != sentence && !parsed.kind.isName() {
		demoteNames(lexical)
	}
	rank.candidates, rank.outlines = gather(lexical, vectors, chunks)
	if req.History != nil && rank.w[ofHistory] > 0 {
		rank.history = req.History.Files(parsed.historyTerms())
		if parsed.scope != nil {
			rank.scopeChanged, rank.scopeCommits = req.History.Scope(parsed.scope)
		}
	}
	rank.scoreByIndex(req.Allowed)
	rank.chunks = chunks
	more, err := r.Chunks(ctx, q.Corpus, rank.missing())
	if err != nil {
		return nil, fmt.Errorf("read chunks: %w", err)
	}
	maps.Copy(rank.chunks, more)
	rank.rescoreByText()
	rank.removeDuplicates()
	out.Took = time.Since(began)
	strength := rank.absoluteScore(out.Semantic)
	return &Ranked{strength, rank, q, out, likeness(&parsed, vectors, strength)}, nil
}

const (
	maxTestsNamed = 3
	maxTestWords  = 3 // longer queries share words with tests by chance
)

// onlyInTests returns a note with the names of tests if they contain words of the query that hits, which are outside of
// tests, do not contain.
func onlyInTests(ctx context.Context, r Reader, req Request, terms []text.Term, hits []text.Hit) (string, error) {
	var missing []text.Term
	for i, t := range terms {
		if t.Whole != "" && !slices.ContainsFunc(hits, func(h text.Hit) bool { return h.Matched.Has(i) }) {
			t.Parts = nil
			missing = append(missing, t)
		}
	}
	if len(missing) == 0 || len(terms) > maxTestWords {
		return "", nil
	}
	tests, err := r.Text(ctx, req.Query.Corpus, store.TextQuery{Terms: missing, K: maxTestsNamed,
		Language: req.Query.Language, Filter: func(p string) bool { return IsTest(p) && req.Allowed(p) }})
	if err != nil || len(tests) == 0 {
		return "", err
	}
	var names []string
	for _, h := range tests {
		names = append(names, fmt.Sprintf("%s:%d", h.Path, h.Start))
	}
	return fmt.Sprintf("Only in tests: %s.", strings.Join(names, ", ")), nil
}
