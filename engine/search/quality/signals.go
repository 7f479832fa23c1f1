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

// Signals asks a question and returns the files that lead the sum, best first, and how many files are right. There are
// none where the trees have no part in the answer.
func (x *Index) Signals(ctx context.Context, q Question, e Embedder) (rows []Row, answers int, err error) {
	right := map[string]bool{}
	for _, t := range q.Answer {
		right[t.Path] = true
	}
	req := x.request(q, e, search.ModeRanked, api.DetailExcerpt)
	req.Observe = func(path string, score float64, signals []float64) {
		rows = append(rows, Row{Path: path, Score: score, Signals: signals, Right: right[path]})
	}
	if _, err := search.Run(ctx, x, req); err != nil {
		return nil, 0, fmt.Errorf("ask %q: %w", q.Text, err)
	}
	return rows, len(right), nil
}
