package search

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// unseen is the maximum change of each of the three measures, for a kind of question, that need not be recorded.
// Improvements are recorded too, because they would hide a later loss.
const unseen = 0.005

// judged contains the figures for each kind of recorded question. They are below those of the whole benchmark, because
// the recording has the first 600 bytes of each chunk and the candidates of an older text index.
var judged = map[string]judgement{
	"bare":   {0.7992, 0.2221, 0.8333},
	"change": {0.8836, 0.2270, 0.5333},
	"commit": {0.6241, -0.0876, 0.4545},
	"error":  {0.7542, 0.0216, 1.0000},
	"how":    {0.7165, 0.0182, 0.4000},
	"mixed":  {0.9513, 0.4735, 0.8333},
	"path":   {1.0000, 0.8242, 0.0000},
	"plain":  {0.6321, -0.1342, 0.4762},
	"symbol": {0.9863, 0.6368, 0.9412},
}

// TestReplay ranks the recorded candidates of 200 questions again. Measure a change with the whole benchmark before you
// record it here (docs/ranking.md).
func TestReplay(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "replay.json.gz"))
	must(t, err)
	defer f.Close()
	var r recording
	z, err := gzip.NewReader(f)
	must(t, err)
	must(t, json.NewDecoder(z).Decode(&r))
	if len(r.Questions) != 200 {
		t.Errorf("%d questions are recorded", len(r.Questions))
	}
	index, err := text.Open(t.Context(), t.TempDir())
	must(t, err)
	defer index.Close()
	got, err := r.replay(t.Context(), index)
	must(t, err)
	if len(got) != len(judged) {
		t.Errorf("%d kinds of question, want %d", len(got), len(judged))
	}
	for kind, g := range got {
		was := judged[kind]
		if max(math.Abs(g.NDCG-was.NDCG), math.Abs(g.Lead-was.Lead), math.Abs(g.Shown-was.Shown)) > unseen {
			t.Errorf("%s: %.4f, was %.4f", kind, g, was)
		}
		t.Logf("%q: {%.4f, %.4f, %.4f},", kind, g.NDCG, g.Lead, g.Shown)
	}
}

// recording is the output of app/bench/quality: the results of both indexes for some questions about code.
type recording struct {
	Questions []recorded
	Chunks    map[string]api.Chunk
}

// recorded is one question with its results.
type recorded struct {
	Question question
	Text     []struct{ ID string } // the chunks that words found
	Vectors  []store.VectorHit
}

type question struct {
	Kind, Text string
	Answer     []target
}

// target is a file that answers, with a string that identifies its relevant lines, or the lines that a change touched.
type target struct {
	Path, Anchor string
	Changed      []int
}

// ndcg returns the normalised discounted cumulative gain of the first ten results, with gain 1 for each answering file.
func (q question) ndcg(found []string) (sum float64) {
	want := map[string]bool{}
	for _, t := range q.Answer {
		want[t.Path] = true
	}
	best := 0.0
	for i := range min(len(want), api.DefaultTopK) {
		best += 1 / math.Log2(float64(i+2))
	}
	var files []string
	for _, f := range found[:min(api.DefaultTopK, len(found))] {
		if slices.Contains(files, f) {
			continue
		}
		files = append(files, f)
		if want[f] {
			sum += 1 / math.Log2(float64(len(files)+1)) / best
		}
	}
	return sum
}

func (r *recorded) ids() (ids []string) {
	for _, h := range r.Text {
		ids = append(ids, h.ID)
	}
	for _, h := range r.Vectors {
		ids = append(ids, h.ID)
	}
	return ids
}

// judgement is the quality of answers to questions of one kind. Lead and Shown show small changes of order, in the list
// and within a file, that NDCG@10 of a few questions does not show.
type judgement struct {
	NDCG  float64
	Lead  float64 // lead of the best right file over the best wrong file, relative to the better, [-1,1]
	Shown float64 // fraction of answerable questions whose first result has an answering line
}

// replay ranks the recorded candidates, and judges each kind of question.
func (r *recording) replay(ctx context.Context, index *text.Index) (map[string]judgement, error) {
	rows := slices.SortedFunc(maps.Values(r.Chunks), func(a, b api.Chunk) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.ContentHash, b.ContentHash),
			cmp.Compare(a.Ordinal, b.Ordinal))
	})
	if err := index.Apply(ctx, text.Change{Rows: rows}); err != nil {
		return nil, err
	}
	sums, count, known := map[string]judgement{}, map[string]float64{}, map[string]float64{}
	for i := range r.Questions {
		one := &r.Questions[i]
		q := one.Question
		ranked, err := Rank(ctx, replayed{one, r.Chunks, index}, Request{
			Query: api.Query{Text: q.Text, Corpus: api.CorpusCode, TopK: api.DefaultTopK}, Coverage: 1, Embedder: replayed{},
			Allowed: func(string) bool { return true }, Log: slog.New(slog.DiscardHandler), VectorTimeout: time.Hour,
		})
		if err != nil {
			return nil, fmt.Errorf("replay %q: %w", q.Text, err)
		}
		found := ranked.Results(true)
		var files []string
		right, wrong := 0.0, 0.0
		for _, h := range found.Hits {
			files = append(files, h.Path)
			if slices.ContainsFunc(q.Answer, func(t target) bool { return t.Path == h.Path }) {
				right = max(right, h.Score)
			} else {
				wrong = max(wrong, h.Score)
			}
		}
		kind := sums[q.Kind]
		kind.NDCG += q.ndcg(files)
		kind.Lead += (right - wrong) / max(right, wrong, 0.01)
		count[q.Kind]++
		if places := r.places(one); len(places) > 0 {
			known[q.Kind]++
			if len(found.Hits) > 0 && slices.ContainsFunc(places, func(l api.Lines) bool {
				h := found.Hits[0]
				return h.Path == l.Path && h.StartLine <= l.StartLine && l.StartLine <= h.EndLine
			}) {
				kind.Shown++
			}
		}
		sums[q.Kind] = kind
	}
	for k, s := range sums {
		sums[k] = judgement{NDCG: s.NDCG / count[k], Lead: s.Lead / count[k], Shown: s.Shown / max(1, known[k])}
	}
	return sums, nil
}

// places returns the lines of the candidates that answer a question.
func (r *recording) places(one *recorded) (all []api.Lines) {
	for _, id := range one.ids() {
		c := r.Chunks[id]
		for _, t := range one.Question.Answer {
			if t.Path != c.Path {
				continue
			}
			lines := slices.Clone(t.Changed)
			for from := 0; t.Anchor != ""; {
				i := strings.Index(c.Text[from:], t.Anchor)
				if i < 0 {
					break
				}
				lines = append(lines, c.StartLine+strings.Count(c.Text[:from+i], "\n"))
				from += i + len(t.Anchor)
			}
			for _, n := range lines {
				if c.StartLine <= n && n <= c.EndLine {
					all = append(all, api.Lines{Path: c.Path, StartLine: n})
				}
			}
		}
	}
	return all
}

// replayed is a Reader over the recorded chunks and neighbours of a question.
type replayed struct {
	one    *recorded
	chunks map[string]api.Chunk
	index  *text.Index
}

func (r replayed) Text(ctx context.Context, _ api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	ids := r.one.ids()
	hits, err := r.index.Search(ctx, q, func(k text.Key) bool {
		return slices.ContainsFunc(ids, func(id string) bool {
			c := r.chunks[id]
			return c.Path == k.Path && strings.HasPrefix(c.ContentHash, k.Hash)
		})
	})
	return slices.DeleteFunc(hits, func(h store.TextHit) bool {
		return !slices.ContainsFunc(h.Chunks, func(n int) bool {
			return slices.Contains(ids, api.ChunkID(h.Path, h.ContentHash, n))
		})
	}), err
}

func (r replayed) Nearest(context.Context, api.Corpus, api.Vector, int, store.Filter) ([]store.VectorHit, error) {
	return r.one.Vectors, nil
}

func (r replayed) Chunks(context.Context, api.Corpus, []string) (map[string]api.Chunk, error) {
	return r.chunks, nil
}

func (replayed) Query(context.Context, string) (api.Vector, error) { return api.Vector{}, nil }
