package quality

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/store"
)

// Recording is what the two indexes found for some questions, so that ranking can be judged without model, packages and
// indexes.
type Recording struct {
	Questions []Recorded
	Chunks    map[string]api.Chunk
}

// Recorded is one question with what was found for it.
type Recorded struct {
	Question Question
	Text     []store.TextHit
	Vectors  []store.VectorHit
}

// ids are those of the chunks that were found.
func (r Recorded) ids() (ids []string) {
	for _, h := range r.Text {
		ids = append(ids, h.ID)
	}
	for _, h := range r.Vectors {
		ids = append(ids, h.ID)
	}
	return ids
}

// Limits of a recording: it is committed.
const (
	maxQuestions = 200
	maxHits      = 15  // of each index
	maxText      = 600 // bytes of a chunk
)

// recorder is an index that notes what it finds.
type recorder struct {
	*Index
	one *Recorded
}

// Text implements search.Reader.
func (r recorder) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	hits, err := r.Index.Text(ctx, corpus, q)
	r.one.Text = hits[:min(len(hits), maxHits)]
	return r.one.Text, err
}

// Nearest implements search.Reader.
func (r recorder) Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int,
	f store.Filter) ([]store.VectorHit, error) {
	hits, err := r.Index.Nearest(ctx, corpus, v, k, f)
	r.one.Vectors = hits[:min(len(hits), maxHits)]
	return r.one.Vectors, err
}

// Record asks some of a project's questions in words, and notes what is found.
func Record(ctx context.Context, x *Index, e Embedder) (Recording, error) {
	all := Recording{Chunks: map[string]api.Chunk{}}
	for _, q := range x.Project.Questions {
		if q.Kind == "typo" || x.history != nil || q.Corpus() != api.CorpusCode {
			continue // what the text index looks for instead, and commits, are not recorded
		}
		one := Recorded{Question: q}
		if _, err := search.Run(ctx, recorder{x, &one}, request(q, e)); err != nil {
			return all, fmt.Errorf("record %q: %w", q.Text, err)
		}
		for _, id := range one.ids() {
			c := x.byID[id]
			c.Text = strings.ToValidUTF8(c.Text[:min(len(c.Text), maxText)], "")
			all.Chunks[id] = c
		}
		all.Questions = append(all.Questions, one)
	}
	return all, nil
}

// Add adds another project's recording. What is known by its id in both is the same.
func (r *Recording) Add(o Recording) {
	r.Questions = append(r.Questions, o.Questions...)
	if r.Chunks == nil {
		r.Chunks = map[string]api.Chunk{}
	}
	for id, c := range o.Chunks {
		r.Chunks[id] = c
	}
}

// Write keeps maxQuestions of the questions, by a hash, and writes them.
func (r *Recording) Write(w io.Writer) error {
	key := func(one Recorded) string {
		sum := sha256.Sum256([]byte(one.Question.Text))
		return string(sum[:])
	}
	slices.SortFunc(r.Questions, func(a, b Recorded) int { return strings.Compare(key(a), key(b)) })
	r.Questions = r.Questions[:min(len(r.Questions), maxQuestions)]
	used := map[string]api.Chunk{}
	for _, one := range r.Questions {
		for _, id := range one.ids() {
			used[id] = r.Chunks[id]
		}
	}
	r.Chunks = used
	z := gzip.NewWriter(w)
	return errors.Join(json.NewEncoder(z).Encode(r), z.Close())
}

// Read reads what Write wrote.
func (r *Recording) Read(from io.Reader) error {
	z, err := gzip.NewReader(from)
	if err != nil {
		return fmt.Errorf("read recording: %w", err)
	}
	defer z.Close()
	if err := json.NewDecoder(z).Decode(r); err != nil {
		return fmt.Errorf("read recording: %w", err)
	}
	return nil
}

// Judged is how well questions of one kind are answered. A change of order that no NDCG@10 of a few questions shows is
// in how far the right file leads, and one within a file in what the first result tells.
type Judged struct {
	NDCG float64
	Lead float64 // of the best right file before the best wrong one, relative to the better, [-1,1]
	Told float64 // share whose first result has a line that answers, of those whose lines are among the candidates
}

// Replay ranks what was found, and judges each kind of question.
func (r *Recording) Replay(ctx context.Context) (map[string]Judged, error) {
	sums, asked, known := map[string]Judged{}, map[string]float64{}, map[string]float64{}
	for i := range r.Questions {
		one := &r.Questions[i]
		q := one.Question
		found, err := search.Run(ctx, replay{one, r.Chunks}, request(q, replay{}))
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
		sums[k] = Judged{NDCG: s.NDCG / asked[k], Lead: s.Lead / asked[k], Told: s.Told / max(1, known[k])}
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

func request(q Question, e Embedder) search.Request {
	return search.Request{
		Query:    api.Query{Text: q.Text, Corpus: q.Corpus(), TopK: depth},
		Coverage: 1, Embedder: e, Allowed: func(string) bool { return true }, Log: slog.New(slog.DiscardHandler),
		VectorTimeout: time.Hour,
	}
}

// replay answers as the indexes did.
type replay struct {
	one    *Recorded
	chunks map[string]api.Chunk
}

// Text implements search.Reader.
func (r replay) Text(context.Context, api.Corpus, store.TextQuery) ([]store.TextHit, error) {
	return r.one.Text, nil
}

// Nearest implements search.Reader.
func (r replay) Nearest(context.Context, api.Corpus, api.Vector, int, store.Filter) ([]store.VectorHit, error) {
	return r.one.Vectors, nil
}

// Chunks implements search.Reader.
func (r replay) Chunks(context.Context, api.Corpus, []string) (map[string]api.Chunk, error) {
	return r.chunks, nil
}

// Query implements search.Embedder: the neighbours are known.
func (replay) Query(context.Context, string) (api.Vector, error) { return api.Vector{}, nil }
