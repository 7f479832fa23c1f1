package quality

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/store"
)

// unseen is how far a change of the ranking may move the recorded questions of a kind, by any of the three measures,
// without anybody saying so. What is better is written down as well: else a later loss hides in it.
const unseen = 0.005

// judged is what the recorded questions of each kind came to when this was written.
var judged = map[string]judgement{
	"bare":   {1.0000, 0.7397, 0.8333},
	"change": {0.8849, 0.2448, 0.5333},
	"commit": {0.6632, 0.0372, 0.4545},
	"error":  {0.8734, 0.2229, 0.7500},
	"how":    {0.7349, 0.0772, 0.4000},
	"mixed":  {0.9796, 0.5750, 0.6667},
	"path":   {1.0000, 0.8636, 0.0000},
	"plain":  {0.6551, -0.0924, 0.3810},
	"symbol": {1.0000, 0.7472, 1.0000},
}

// TestReplay ranks what the indexes found for 200 questions once more. A change that moves a kind of question has to be
// seen in the whole benchmark before it is written down here (docs/ranking.md).
func TestReplay(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "replay.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r Recording
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&r); err != nil {
		t.Fatal(err)
	}
	if len(r.Questions) < maxQuestions {
		t.Errorf("%d questions are recorded", len(r.Questions))
	}
	got, err := r.replay(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(judged) {
		t.Errorf("%d kinds of question, want %d", len(got), len(judged))
	}
	for kind, g := range got {
		was := judged[kind]
		if max(math.Abs(g.NDCG-was.NDCG), math.Abs(g.Lead-was.Lead), math.Abs(g.Told-was.Told)) > unseen {
			t.Errorf("%s: %.4f, was %.4f", kind, g, was)
		}
		t.Logf("%q: {%.4f, %.4f, %.4f},", kind, g.NDCG, g.Lead, g.Told)
	}
}

// judgement is how well questions of one kind are answered. A change of order that no NDCG@10 of a few questions shows
// is in how far the right file leads, and one within a file in what the first result tells.
type judgement struct {
	NDCG float64
	Lead float64 // of the best right file before the best wrong one, relative to the better, [-1,1]
	Told float64 // share whose first result has a line that answers, of those whose lines are among the candidates
}

// replay ranks what was found, and judges each kind of question.
func (r *Recording) replay(ctx context.Context) (map[string]judgement, error) {
	sums, asked, known := map[string]judgement{}, map[string]float64{}, map[string]float64{}
	for i := range r.Questions {
		one := &r.Questions[i]
		q := one.Question
		found, err := search.Run(ctx, replayed{one, r.Chunks}, request(q, replayed{}))
		if err != nil {
			return nil, fmt.Errorf("replay %q: %w", q.Text, err)
		}
		var files []string
		right, wrong := 0.0, 0.0
		for _, h := range found.Hits {
			files = append(files, h.Path)
			if slices.ContainsFunc(q.Answer, func(t Target) bool { return t.Path == h.Path }) {
				right = max(right, h.Score)
			} else {
				wrong = max(wrong, h.Score)
			}
		}
		kind := sums[q.Kind]
		ndcg, _ := q.rank(files)
		kind.NDCG += ndcg
		kind.Lead += (right - wrong) / max(right, wrong, 0.01)
		asked[q.Kind]++
		if places := r.places(one); len(places) > 0 {
			known[q.Kind]++
			if len(found.Hits) > 0 && slices.ContainsFunc(places, func(l api.Lines) bool {
				h := found.Hits[0]
				return h.Path == l.Path && h.StartLine <= l.StartLine && l.StartLine <= h.EndLine
			}) {
				kind.Told++
			}
		}
		sums[q.Kind] = kind
	}
	for k, s := range sums {
		sums[k] = judgement{NDCG: s.NDCG / asked[k], Lead: s.Lead / asked[k], Told: s.Told / max(1, known[k])}
	}
	return sums, nil
}

// places are the lines that answer a question, as far as its candidates hold them.
func (r *Recording) places(one *Recorded) (all []api.Lines) {
	for _, id := range one.ids() {
		c := r.Chunks[id]
		for _, t := range one.Question.Answer {
			if t.Path != c.Path {
				continue
			}
			for _, n := range t.lines(c.Text) {
				if t.Anchor != "" {
					n += c.StartLine - 1
				}
				if c.StartLine <= n && n <= c.EndLine {
					all = append(all, api.Lines{Path: c.Path, StartLine: n})
				}
			}
		}
	}
	return all
}

// replayed answers as the indexes did.
type replayed struct {
	one    *Recorded
	chunks map[string]api.Chunk
}

// Text implements search.Reader.
func (r replayed) Text(context.Context, api.Corpus, store.TextQuery) ([]store.TextHit, error) {
	return r.one.Text, nil
}

// Nearest implements search.Reader.
func (r replayed) Nearest(context.Context, api.Corpus, api.Vector, int, store.Filter) ([]store.VectorHit, error) {
	return r.one.Vectors, nil
}

// Chunks implements search.Reader.
func (r replayed) Chunks(context.Context, api.Corpus, []string) (map[string]api.Chunk, error) {
	return r.chunks, nil
}

// Query implements search.Embedder: the neighbours are known.
func (replayed) Query(context.Context, string) (api.Vector, error) { return api.Vector{}, nil }
