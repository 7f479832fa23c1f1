package text

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
)

// BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): saturation of repeated words, and for
// each field how much its length counts. Names and paths are short and differ in length for reasons that say nothing.
const k1 = 1.2

var lengthWeight = [NumFields]float64{FieldBody: 0.45, FieldSymbols: 0.4, FieldStem: 0.3}

// Weights of tokens that are not words as typed.
const (
	partWeight  = 0.5 // a part of an identifier, beside the whole
	fuzzyWeight = 0.8 // of a word that the index does not hold
)

// Limits that keep a query of any text cheap.
const (
	maxTokens   = 64 // of a query; Hit.Matched has a bit for each word
	maxFuzzy    = 8
	longFuzzy   = 8       // letters from which on two edits still make the same word
	maxScanned  = 2000    // words of the dictionary that are looked at for one word
	checkEvery  = 1 << 14 // postings between two looks at the context
	manyMatched = 50_000  // chunks after which words found in a fifth of all add to scores but no candidates
)

// searchToken is a token that is looked up, with its weight and the words of the query it stands for.
type searchToken struct {
	text   string
	weight float64
	words  uint64
	df     uint64 // in the field that has it most often
}

// Search returns the best hits of a query, best first; ties go by path and line. admit sees every candidate's key and
// drops it by returning false.
func (x *Index) Search(ctx context.Context, q Query, admit func(Key) bool) (hits []Hit, err error) {
	if q.K <= 0 {
		return nil, nil
	}
	r, err := x.reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = x.guard("search text", func() error {
		s := search{x: x, r: r, q: q, admit: admit, weights: q.Weights, means: x.lengths(),
			counts: map[string][NumFields]uint64{}}
		if s.weights == (Weights{}) {
			s.weights = DefaultWeights
		}
		hits, err = s.run(ctx)
		return err
	})
	switch {
	case err == nil:
		return hits, nil
	case ctx.Err() != nil, errors.Is(err, ErrCorrupt), errors.Is(err, ErrClosed):
		return nil, fmt.Errorf("search text: %w", err)
	}
	// The query is ours and the reader holds its files, so whatever else the library stumbles over is what it reads.
	return nil, fmt.Errorf("search text: %w: %w", ErrCorrupt, err)
}

// search is one search at work.
type search struct {
	x       *Index
	r       *scorch.IndexSnapshot
	q       Query
	admit   func(Key) bool
	weights Weights
	means   lengths
	docs    uint64
	counts  map[string][NumFields]uint64 // chunks that hold a token, by field
}

func (s *search) run(ctx context.Context) ([]Hit, error) {
	n, err := s.r.DocCount()
	if err != nil || n == 0 {
		return nil, err
	}
	s.docs = n
	tokens, err := s.plan(ctx)
	if err != nil || len(tokens) == 0 {
		return nil, err
	}
	acc := s.x.scratch.Get().(*accumulator)
	defer s.x.scratch.Put(acc)
	acc.reset()
	for _, t := range tokens {
		if err := s.score(ctx, t, acc); err != nil {
			return nil, err
		}
	}
	return s.best(ctx, acc)
}

// plan turns the query into tokens, rarest first.
func (s *search) plan(ctx context.Context) ([]searchToken, error) {
	var tokens []searchToken
	add := func(text string, weight float64, words uint64) {
		for i := range tokens {
			if tokens[i].text == text {
				tokens[i].weight = math.Max(tokens[i].weight, weight)
				tokens[i].words |= words
				return
			}
		}
		if len(tokens) < maxTokens {
			tokens = append(tokens, searchToken{text: text, weight: weight, words: words})
		}
	}
	addWord := func(w Word, weight float64, bit uint64) {
		parts := weight
		if w.Whole != "" {
			add(w.Whole, weight, bit)
			parts *= partWeight
		}
		for _, p := range w.Parts {
			if len(w.Parts) == 1 || !isStop([]byte(p)) {
				add(p, parts, bit)
			}
		}
	}
	for i, w := range Analyse(s.q.Text) {
		if len(tokens) == maxTokens { // the rest of a pasted page
			break
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		bit := uint64(0)
		if i < 64 {
			bit = 1 << i
		}
		if w.Whole == "" || len(w.Parts) == 0 {
			addWord(w, 1, bit)
			continue
		}
		known := searchToken{text: w.Whole}
		if err := s.frequency(&known); err != nil {
			return nil, err
		}
		if known.df == 0 {
			addWord(w, 1, bit)
			continue
		}
		// The index has the whole name: a document with parts of it only does not match.
		add(w.Whole, 1, bit)
		for _, p := range w.Parts {
			if !isStop([]byte(p)) {
				add(p, partWeight, 0)
			}
		}
	}
	for _, t := range slices.Clone(tokens) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		more, err := s.widen(t)
		if err != nil {
			return nil, err
		}
		for _, m := range more {
			add(m.text, m.weight, m.words)
		}
	}
	for i := range tokens {
		if err := s.frequency(&tokens[i]); err != nil {
			return nil, err
		}
	}
	tokens = slices.DeleteFunc(tokens, func(t searchToken) bool { return t.df == 0 })
	slices.SortStableFunc(tokens, func(a, b searchToken) int { return cmp.Compare(a.df, b.df) })
	return tokens, nil
}

// idf is BM25's inverse document frequency.
func (s *search) idf(df uint64) float64 {
	n := math.Min(float64(df), float64(s.docs))
	return math.Log(1 + (float64(s.docs)-n+0.5)/(n+0.5))
}

// frequency fills in a token's document frequency, the largest over the fields, so that one inverse document frequency
// serves them all and a word that is common in text is not rare because few files are named so.
func (s *search) frequency(t *searchToken) error {
	counts, ok := s.counts[t.text]
	for f := range NumFields {
		if ok {
			break
		}
		tr, err := s.r.TermFieldReader(context.Background(), []byte(t.text), f.String(), false, false, false)
		if err != nil {
			return err
		}
		counts[f] = tr.Count()
		if err := tr.Close(); err != nil {
			return err
		}
	}
	s.counts[t.text] = counts
	t.df = slices.Max(counts[:])
	return nil
}

// widen finds the tokens of the index that a misspelt one stands for.
func (s *search) widen(t searchToken) (more []searchToken, err error) {
	if !s.q.Fuzzy || len(t.text) < 4 {
		return nil, nil
	}
	known := t
	if err := s.frequency(&known); err != nil || known.df > 0 || s.q.Known != nil && s.q.Known(t.text) {
		return nil, err
	}
	for edits := 1; edits <= 2 && len(more) == 0 && (edits == 1 || len(t.text) >= longFuzzy); edits++ {
		more, err = s.dictionary(t, func(f Field) (index.FieldDict, error) {
			return s.r.FieldDictFuzzy(f.String(), t.text, edits, "")
		})
		if err != nil {
			return nil, err
		}
	}
	if s.q.Corrected != nil {
		for _, m := range more {
			s.q.Corrected(t.text, m.text)
		}
	}
	return more, nil
}

// dictionary lists up to maxFuzzy different words of a part of the index's dictionary.
func (s *search) dictionary(t searchToken, open func(Field) (index.FieldDict, error)) ([]searchToken, error) {
	var out []searchToken
	seen := map[string]bool{t.text: true}
	for _, f := range []Field{FieldSymbols, FieldStem, FieldBody} {
		n := 0
		for term, err := range terms(open(f)) {
			if err != nil {
				return nil, err
			}
			if n++; len(out) == maxFuzzy || n > maxScanned {
				break
			}
			if !seen[term] {
				term = strings.Clone(term)
				seen[term] = true
				out = append(out, searchToken{text: term, weight: t.weight * fuzzyWeight, words: t.words})
			}
		}
	}
	return out, nil
}

// score adds a token's BM25 in every field to the chunks that hold it.
func (s *search) score(ctx context.Context, t searchToken, acc *accumulator) error {
	idf := s.idf(t.df)
	grow := len(acc.docs) < manyMatched || t.df < s.docs/5
	var doc index.TermFieldDoc
	for f := range NumFields {
		if s.weights[f] == 0 || s.counts[t.text][f] == 0 {
			continue
		}
		tr, err := s.r.TermFieldReader(ctx, []byte(t.text), f.String(), true, true, false)
		if err != nil {
			return err
		}
		b, mean := lengthWeight[f], s.means.mean(f)
		for n := 0; ; n++ {
			if n%checkEvery == checkEvery-1 && ctx.Err() != nil {
				return errors.Join(context.Cause(ctx), tr.Close())
			}
			p, err := tr.Next(doc.Reset())
			if err != nil {
				return errors.Join(err, tr.Close())
			}
			if p == nil {
				break
			}
			d := acc.at(p.ID.Value(), grow)
			if d == nil {
				continue
			}
			length := mean
			if p.Norm > 0 {
				length = 1 / (p.Norm * p.Norm)
			}
			tf := math.Max(1, float64(p.Freq)) // 0 in the fields that keep no frequencies
			d.fields[f] += float32(t.weight * idf * tf * (k1 + 1) / (tf + k1*(1-b+b*length/mean)))
			d.words |= t.words
		}
		if err := tr.Close(); err != nil {
			return err
		}
	}
	return nil
}

// best names the best rows and applies the filters. Few of the rows that score are named: as many as are wanted and,
// while filters leave too few of them, each time four times as many.
func (s *search) best(ctx context.Context, acc *accumulator) ([]Hit, error) {
	acc.sum(s.weights)
	var top []found
	tried := math.Inf(1) // what scores at least as much was looked at
	for wanted := s.q.K; len(top) < s.q.K && tried > 0; wanted *= 4 {
		least := acc.nth(wanted)
		for i := range acc.docs {
			if i%checkEvery == checkEvery-1 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			d := &acc.docs[i]
			if d.total <= 0 || d.total < least || d.total >= tried {
				continue
			}
			if ctx.Err() != nil { // what the filters cost is the caller's
				return nil, context.Cause(ctx)
			}
			h, ok, err := s.name(d)
			if err != nil {
				return nil, err
			}
			if ok {
				top = append(top, h)
			}
		}
		tried = least
	}
	slices.SortFunc(top, func(a, b found) int {
		if better(a, b) {
			return -1
		}
		return 1
	})
	top = top[:min(len(top), s.q.K)]
	hits := make([]Hit, len(top))
	for i, h := range top {
		hits[i] = h.Hit
		hits[i].ID = h.key.withID(h.packed).ID
	}
	return hits, nil
}

// name reads what a row is; ok is false for one that the filters drop, and for a marker.
func (s *search) name(d *scored) (h found, ok bool, err error) {
	name, err := s.r.ExternalID(index.NewIndexInternalID(nil, d.number))
	if err != nil {
		return h, false, err
	}
	k, packed, ok := parsePlace(name)
	if !ok || packed == "" || !s.allowed(k) {
		return h, false, nil
	}
	h = found{key: k, packed: packed, Hit: Hit{
		Path: k.Path, ContentHash: k.Hash, Language: k.Language, StartLine: k.Start, EndLine: k.End,
		Score: d.total, Matched: d.words,
	}}
	for f, v := range d.fields {
		h.Fields[f] = float64(v)
	}
	return h, true, nil
}

// found is a hit whose ID is still as the row's name has it.
type found struct {
	Hit
	key    Key
	packed string
}

// allowed applies the query's filters, cheapest first.
func (s *search) allowed(k Key) bool {
	q := &s.q
	return (q.Language == "" || q.Language == k.Language) &&
		(s.admit == nil || s.admit(k)) &&
		(q.Filter == nil || q.Filter(k.Path))
}

// better orders hits: score, then path and place, so that equal scores come in one order always.
func better(a, b found) bool {
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine),
		cmp.Compare(a.key.derived, b.key.derived),
		cmp.Compare(a.packed, b.packed)) < 0
}

// accumulator holds the scores of the chunks seen so far. slots maps a chunk's number to its place in docs plus one:
// numbers are dense, and a slice of them is several times faster than a map.
type accumulator struct {
	slots []int32
	docs  []scored
}

type scored struct {
	number uint64
	words  uint64
	fields [NumFields]float32
	total  float64 // of the fields by weight
}

// at returns the scores of a chunk; nil if it is new and grow is false.
func (a *accumulator) at(number uint64, grow bool) *scored {
	if number >= uint64(len(a.slots)) {
		if !grow {
			return nil
		}
		a.slots = append(a.slots, make([]int32, int(number)+1-len(a.slots)+len(a.slots)/4)...)
	}
	if slot := a.slots[number]; slot > 0 {
		return &a.docs[slot-1]
	}
	if !grow {
		return nil
	}
	a.docs = append(a.docs, scored{number: number})
	a.slots[number] = int32(len(a.docs))
	return &a.docs[len(a.docs)-1]
}

func (a *accumulator) sum(w Weights) {
	for i := range a.docs {
		d := &a.docs[i]
		for f, v := range d.fields {
			d.total += w[f] * float64(v)
		}
	}
}

// nth is the n-th highest total, 0 if there are fewer.
func (a *accumulator) nth(n int) (least float64) {
	var top []float64 // the n highest and, until they are sorted out, some that were among them before
	cut := func() {
		slices.Sort(top)
		top = append(top[:0], top[len(top)-n:]...)
		least = top[0]
	}
	for i := range a.docs {
		if t := a.docs[i].total; t > least {
			if top = append(top, t); len(top) == 2*n {
				cut()
			}
		}
	}
	if len(top) < n {
		return 0
	}
	cut()
	return least
}

func (a *accumulator) reset() {
	for i := range a.docs {
		a.slots[a.docs[i].number] = 0
	}
	a.docs = a.docs[:0]
}
