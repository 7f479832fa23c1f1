package quality

import (
	"context"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
)

// Row is a file that the ranking's trees order, with what they see of it.
type Row struct {
	Path    string    `json:"path"`
	Score   float64   `json:"score"` // the sum without the trees
	Signals []float64 `json:"signals"`
	Right   bool      `json:"right"`
}

// Observed is what the trees see of a question.
type Observed struct {
	Answers int   `json:"answers"` // right files, seen or not
	Files   []Row `json:"files"`   // that lead the sum, best first
}

// Observe asks a question. There are no files where the trees have no part in the answer.
func (x *Index) Observe(ctx context.Context, q Question, e Embedder) (seen Observed, err error) {
	right := map[string]bool{}
	for _, t := range q.Answer {
		right[t.Path] = true
	}
	req := x.request(q, e, search.ModeRanked, api.DetailExcerpt)
	seen.Answers = len(right)
	req.Observe = func(o search.Observation) {
		seen.Files = append(seen.Files, Row{Path: o.Path, Score: o.Score, Signals: o.Signals, Right: right[o.Path]})
	}
	if _, err := search.Run(ctx, x, req); err != nil {
		return seen, fmt.Errorf("ask %q: %w", q.Text, err)
	}
	return seen, nil
}
