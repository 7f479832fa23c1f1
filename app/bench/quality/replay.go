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

// Recording contains the candidates that the text index and the vectors found for some questions. TestReplay in
// engine/search uses it to test the ranking without a model, projects and indexes.
type Recording struct {
	Questions []Recorded
	Chunks    map[string]api.Chunk
}

// Recorded is a question with its candidates.
type Recorded struct {
	Question Question
	Text     []Chunk // candidates of the text index
	Vectors  []store.VectorHit
}

// Chunk identifies a chunk.
type Chunk struct{ ID string }

func (r Recorded) ids() (ids []string) {
	for _, h := range r.Text {
		ids = append(ids, h.ID)
	}
	for _, h := range r.Vectors {
		ids = append(ids, h.ID)
	}
	return ids
}

// Limits of a recording, which is committed to the repository.
const (
	maxQuestions = 200
	maxHits      = 15  // of each index
	maxText      = 600 // bytes of a chunk
)

// recorder is an index that records its candidates.
type recorder struct {
	*Index
	one *Recorded
}

// Text implements search.Reader.
func (r recorder) Text(ctx context.Context, corpus api.Corpus, q store.TextQuery) ([]store.TextHit, error) {
	hits, err := r.Index.Text(ctx, corpus, q)
	hits = hits[:min(len(hits), maxHits)]
	for _, h := range hits {
		for _, n := range h.Chunks {
			id := api.ChunkID(h.Path, h.ContentHash, n)
			r.one.Text = append(r.one.Text, Chunk{id})
		}
	}
	return hits, err
}

// Nearest implements search.Reader.
func (r recorder) Nearest(ctx context.Context, corpus api.Corpus, v api.Vector, k int,
	f store.Filter) ([]store.VectorHit, error) {
	hits, err := r.Index.Nearest(ctx, corpus, v, k, f)
	r.one.Vectors = hits[:min(len(hits), maxHits)]
	return r.one.Vectors, err
}

// Record asks a project's questions about code and records the candidates. It skips questions with typing errors and
// projects with a log of commits, because a recording contains no corrected words and no commits.
func Record(ctx context.Context, x *Index, e Embedder) (Recording, error) {
	all := Recording{Chunks: map[string]api.Chunk{}}
	for _, q := range x.Project.Questions {
		if q.Kind == "typo" || x.history != nil || q.Corpus() != api.CorpusCode {
			continue
		}
		one := Recorded{Question: q}
		if _, err := search.Rank(ctx, recorder{x, &one}, request(q, e)); err != nil {
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

// Add adds the recording of another project. Chunks with the same ID are equal.
func (r *Recording) Add(o Recording) {
	r.Questions = append(r.Questions, o.Questions...)
	if r.Chunks == nil {
		r.Chunks = map[string]api.Chunk{}
	}
	for id, c := range o.Chunks {
		r.Chunks[id] = c
	}
}

// Write writes at most maxQuestions questions, which are chosen by a hash.
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

func request(q Question, e Embedder) search.Request {
	return search.Request{
		Query:    api.Query{Text: q.Text, Corpus: q.Corpus(), TopK: depth},
		Coverage: 1, Embedder: e, Allowed: func(string) bool { return true }, Log: slog.New(slog.DiscardHandler),
		VectorTimeout: time.Hour,
	}
}
