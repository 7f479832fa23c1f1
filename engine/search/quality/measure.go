package quality

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/store"
)

// depth is the number of results that count, the product's default top_k.
const depth = api.DefaultTopK

// Score is how well one list of files answers a question. All in [0,1].
type Score struct {
	NDCG   float64 // normalised discounted cumulative gain of the first ten files, gain 1 for each that answers
	Recall float64 // share of the answering files among the first ten
	RR     float64 // reciprocal rank of the first one
	Hit    float64 // the first file answers; to a bare name, the first result shows its definition
	Lines  float64 // one of the results shows an answer's telling lines; 1 if the answer has none
}

// Add adds another question's score.
func (s *Score) Add(o Score) {
	s.NDCG, s.Recall, s.RR, s.Hit, s.Lines = s.NDCG+o.NDCG, s.Recall+o.Recall, s.RR+o.RR, s.Hit+o.Hit, s.Lines+o.Lines
}

// Over divides sums by a number of questions.
func (s Score) Over(n int) Score {
	f := 1 / float64(max(1, n))
	return Score{s.NDCG * f, s.Recall * f, s.RR * f, s.Hit * f, s.Lines * f}
}

// Result is a place that was found, with the product's score where the stage has one.
type Result struct {
	Path, Text string
	Score      float64
	read       string // what its reader gets; "": what it costs is not measured
	pointer    bool   // told behind the results: where else something stands, further lines of a result's file
}

// results are those of what was found that are more than told.
func results(found []Result) []Result {
	n := 0
	for n < min(depth, len(found)) && !found[n].pointer {
		n++
	}
	return found[:n]
}

// given is what of that was found an answer has: the results, and what is told behind them.
func given(found []Result) (out []Result) {
	for i, r := range found {
		if i < depth || r.pointer {
			out = append(out, r)
		}
	}
	return out
}

// score judges results: files count once, at their first rank, and results beyond depth don't count, so that a file
// that takes several of the ten places costs the others.
func (q Question) score(found []Result) Score {
	var s Score
	all := given(found)
	found = results(found)
	var files []string
	for _, r := range found {
		if !slices.Contains(files, r.Path) {
			files = append(files, r.Path)
		}
	}
	var best float64
	want := map[string]bool{}
	anchored, shown := false, false
	for _, t := range q.Answer {
		want[t.Path] = true
		if t.Anchor == "" {
			continue
		}
		anchored = true
		shown = shown || slices.ContainsFunc(all,
			func(r Result) bool { return r.Path == t.Path && containsLine(r.Text, t.Anchor) })
	}
	for i := range min(len(want), depth) {
		best += 1 / math.Log2(float64(i+2))
	}
	right := 0
	for i, f := range files {
		if !want[f] {
			continue
		}
		if right == 0 {
			s.RR = 1 / float64(i+1)
		}
		right++
		s.NDCG += 1 / math.Log2(float64(i+2)) / best
	}
	s.Recall = float64(right) / float64(len(want))
	if s.RR == 1 && (q.Kind != "bare" || slices.ContainsFunc(q.Answer, func(t Target) bool {
		return t.Path == found[0].Path && containsLine(found[0].Text, t.Anchor)
	})) {
		s.Hit = 1
	}
	if shown || !anchored {
		s.Lines = 1
	}
	return s
}

// listed is what an answer lists, in the order in which it is read.
func listed(r api.Results) (out []Result, err error) {
	var behind []Result
	for _, h := range r.Hits {
		one := Result{Path: h.Path, Text: h.Text, Score: h.Score}
		if one.read, err = encoded(h); err != nil {
			return nil, err
		}
		out = append(out, one)
		if h.More == "" {
			continue
		}
		more := Result{Path: h.Path, Text: h.More, pointer: true}
		if more.read, err = encodedMore(h); err != nil {
			return nil, err
		}
		behind = append(behind, more)
	}
	for _, place := range r.Further {
		path, _, _ := strings.Cut(place, ":")
		out = append(out, Result{Path: path, read: strconv.Quote(place) + ",", pointer: true})
	}
	return append(out, behind...), nil
}

// Stage answers a question in one of the ways that are compared.
type Stage struct {
	Name  string
	Costs bool // its answers' tokens are counted
	Find  func(ctx context.Context, x *Index, q Question) ([]Result, error)
}

// Embedder makes query vectors.
type Embedder = search.Embedder

// request asks a question of the index as the product does.
func (x *Index) request(q Question, e Embedder, mode search.Mode, detail api.Detail) search.Request {
	req := search.Request{
		Query:    api.Query{Text: q.Text, Corpus: q.Corpus(), TopK: depth, Detail: detail},
		Coverage: 1, Embedder: e, Allowed: func(string) bool { return true }, Log: slog.New(slog.DiscardHandler),
		Mode: mode, VectorTimeout: time.Hour,
	}
	if x.history != nil && detail == api.DetailExcerpt { // so that the stage before shows what it gives
		req.History = x.history
	}
	return req
}

// Stages are the parts of the product, each alone, and the whole.
func Stages(e Embedder) []Stage {
	whole := func(mode search.Mode, detail api.Detail) func(context.Context, *Index, Question) ([]Result, error) {
		return func(ctx context.Context, x *Index, q Question) ([]Result, error) {
			r, err := search.Run(ctx, x, x.request(q, e, mode, detail))
			if err != nil {
				return nil, err
			}
			return listed(r)
		}
	}
	return []Stage{
		{"lexical", false, func(ctx context.Context, x *Index, q Question) ([]Result, error) {
			hits, err := x.Text(ctx, q.Corpus(), store.TextQuery{Text: q.Text, K: depth})
			out := make([]Result, len(hits))
			for i, h := range hits {
				out[i] = Result{Path: h.Path, Text: x.byID[h.ID].Text}
			}
			return out, err
		}},
		{"dense", false, func(ctx context.Context, x *Index, q Question) ([]Result, error) {
			v, err := e.Query(ctx, q.Text)
			if err != nil {
				return nil, fmt.Errorf("embed question: %w", err)
			}
			hits, err := x.Nearest(ctx, q.Corpus(), v, 2*depth, store.Filter{})
			var out []Result
			for _, h := range hits {
				if h.EndLine > 0 { // no outline
					out = append(out, Result{Path: h.Path, Text: x.byID[h.ID].Text})
				}
			}
			return out, err
		}},
		{"fused", false, whole(search.ModeFused, api.DetailFull)},
		{"words", false, whole(search.ModeWords, api.DetailFull)},
		{"ranked", true, whole(search.ModeRanked, api.DetailFull)},
		{"excerpts", true, whole(search.ModeRanked, api.DetailExcerpt)},
	}
}
