package text

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/zapx/v17"
)

// Parameters of BM25F (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009). For names and paths, the
// index contains neither frequencies nor lengths.
const (
	k1         = 1.2 // lower values reduce the weight of repeated words
	bodyLength = 0.5 // weight of a text's length
	meanLength = 80  // average number of tokens of a text
)

// lengthFactor returns the divisor of the frequency of a word in a text of n tokens. The square root in Posting.Norm
// would take a tenth of a search.
func lengthFactor(n uint64) float64 { return 1 - bodyLength + bodyLength/meanLength*float64(n) }

const (
	partWeight  = 0.5 // weight of the parts of an identifier that the index contains as a whole
	fuzzyWeight = 0.8 // weight of a word that replaces a misspelt word
)

const (
	maxLookups     = 384     // number of tokens whose frequency is looked up
	maxScored      = 128     // number of tokens that are scored
	maxWidened     = 16      // number of query words that may be replaced; each takes 1 ms
	maxFuzzy       = 8       // number of replacements of a query word
	longFuzzy      = 8       // minimum length of a word that may differ by two edits
	maxScanned     = 2000    // number of dictionary words that are compared with a query word
	checkEvery     = 1 << 14 // number of rows or words between two checks of the context
	manyMatched    = 20_000  // number of matches above which common words add no more
	commonFraction = 10
)

type searchToken struct {
	text   string
	weight float64
	terms  Set
	df     int // number of rows that contain the token
}

// Search returns the hits of q whose keys pass admit, best first.
func (x *Index) Search(ctx context.Context, q Query, admit func(Key) bool) (hits []Hit, err error) {
	if q.K <= 0 {
		return nil, nil
	}
	err = x.read(ctx, "search text", func(r *scorch.IndexSnapshot) error {
		s, err := newSearch(r, q)
		if err != nil {
			return err
		}
		s.x, s.admit = x, admit
		hits, err = s.run(ctx)
		return err
	})
	return hits, err
}

type search struct {
	x     *Index
	r     *scorch.IndexSnapshot
	q     Query
	admit func(Key) bool
	docs  int
	rows  rows
	words [NumFields]dictionaries
	lists map[string]*[NumFields]postings // rows by token and field
}

func newSearch(r *scorch.IndexSnapshot, q Query) (*search, error) {
	s := &search{r: r, q: q, rows: newRows(r), lists: map[string]*[NumFields]postings{}}
	for f := range NumFields {
		var err error
		if s.words[f], err = newDictionaries(r, f.String()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *search) run(ctx context.Context) ([]Hit, error) {
	units, err := newDictionaries(s.r, fieldUnits)
	if err != nil {
		return nil, err
	}
	all, err := units.find(s.r, unitTerm, nil)
	if err != nil {
		return nil, err
	}
	if s.docs = all.count(); s.docs == 0 {
		return nil, nil
	}
	tokens, err := s.plan()
	if err != nil || len(tokens) == 0 {
		return nil, err
	}
	segments := make([]*accumulator, len(s.rows.segments))
	for i := range segments {
		segments[i] = s.x.scratch.Get().(*accumulator)
		defer s.x.scratch.Put(segments[i])
		segments[i].reset((len(s.q.Terms) + 63) / 64)
	}
	err = s.x.parallel("search text", len(segments), func(i int) error { return s.score(ctx, i, tokens, segments[i]) })
	if err != nil {
		return nil, err
	}
	return s.best(ctx, segments)
}

type tokenList struct {
	all []searchToken
	at  map[string]int
}

func (l *tokenList) add(text string, weight float64, terms Set) {
	i, ok := l.at[text]
	if !ok {
		l.at[text] = len(l.all)
		l.all = append(l.all, searchToken{text: text, weight: weight, terms: slices.Clone(terms)})
		return
	}
	l.all[i].weight = math.Max(l.all[i].weight, weight)
	for n, w := range terms {
		l.all[i].terms[n] |= w
	}
}

// plan returns the tokens to score, rarest first.
func (s *search) plan() ([]searchToken, error) {
	list := tokenList{at: map[string]int{}}
	none := make(Set, (len(s.q.Terms)+63)/64)
	heaviest := make([]int, len(s.q.Terms))
	for i := range heaviest {
		heaviest[i] = i
	}
	slices.SortStableFunc(heaviest, func(a, b int) int { return cmp.Compare(s.q.Terms[b].Weight, s.q.Terms[a].Weight) })
	for _, i := range heaviest[:min(len(heaviest), maxLookups)] {
		w, terms := s.q.Terms[i], slices.Clone(none)
		terms[i/64] |= 1 << (i % 64)
		parts, weight := terms, w.Weight
		if w.Whole != "" {
			df := 0
			if len(w.Parts) > 1 {
				var err error
				if df, err = s.frequency(w.Whole); err != nil {
					return nil, err
				}
			}
			list.add(w.Whole, weight, terms)
			if df > 0 { // if the index contains the whole identifier, its parts alone don't match
				parts, weight = none, weight*partWeight
			}
		}
		for _, p := range w.Parts {
			if len(w.Parts) == 1 || !isStop([]byte(p)) {
				list.add(p, weight, parts)
			}
		}
	}
	for _, t := range slices.Clone(list.all) {
		if len(s.q.Terms) > maxWidened {
			break
		}
		more, err := s.widen(t)
		if err != nil {
			return nil, err
		}
		for _, m := range more {
			list.add(m.text, m.weight, m.terms)
		}
	}
	tokens := list.all
	for i, t := range tokens {
		var err error
		if tokens[i].df, err = s.frequency(t.text); err != nil {
			return nil, err
		}
	}
	tokens = slices.DeleteFunc(tokens, func(t searchToken) bool { return t.df == 0 })
	slices.SortStableFunc(tokens, func(a, b searchToken) int {
		return cmp.Compare(b.weight*s.idf(b.df), a.weight*s.idf(a.df))
	})
	tokens = tokens[:min(len(tokens), maxScored)]
	slices.SortStableFunc(tokens, func(a, b searchToken) int { return cmp.Compare(a.df, b.df) })
	return tokens, nil
}

func (s *search) idf(df int) float64 {
	n := float64(min(df, s.docs))
	return math.Log(1 + (float64(s.docs)-n+0.5)/(n+0.5))
}

// frequency returns the number of rows that contain token, in the field with the most rows.
func (s *search) frequency(token string) (df int, err error) {
	lists := s.lists[token]
	if lists == nil {
		lists = new([NumFields]postings)
		for f := range lists {
			if lists[f], err = s.words[f].find(s.r, token, nil); err != nil {
				return 0, err
			}
		}
		s.lists[token] = lists
	}
	for _, l := range lists {
		df = max(df, l.count())
	}
	return df, nil
}

// widen returns tokens of the index that are similar to t. If the index contains t, widen returns none.
func (s *search) widen(t searchToken) (more []searchToken, err error) {
	if !s.q.Fuzzy || len(t.text) < 4 {
		return nil, nil
	}
	if df, err := s.frequency(t.text); err != nil || df > 0 || s.q.Known != nil && s.q.Known(t.text) {
		return nil, err
	}
	for edits := 1; edits <= 2 && len(more) == 0 && (edits == 1 || len(t.text) >= longFuzzy); edits++ {
		if more, err = s.similar(t, edits); err != nil {
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

// similar returns at most maxFuzzy tokens of the index that differ from t by at most the given number of edits.
func (s *search) similar(t searchToken, edits int) (out []searchToken, err error) {
	seen := map[string]bool{t.text: true}
	for _, f := range []Field{FieldSymbols, FieldPath, FieldBody} {
		n := 0
		for term, err := range terms(s.r.FieldDictFuzzy(f.String(), t.text, edits, "")) {
			if err != nil {
				return nil, err
			}
			if n++; len(out) == maxFuzzy || n > maxScanned {
				break
			}
			if !seen[term] {
				term = strings.Clone(term)
				seen[term] = true
				out = append(out, searchToken{text: term, weight: t.weight * fuzzyWeight, terms: t.terms})
			}
		}
	}
	return out, nil
}

// score adds the scores of the tokens to the units of segment i.
func (s *search) score(ctx context.Context, i int, tokens []searchToken, acc *accumulator) error {
	many := manyMatched * int(s.rows.segments[i].FullSize()) / s.rows.count
	var rows segment.PostingsIterator // reused
	for _, t := range tokens {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		grow := len(acc.docs) < many || t.df < s.docs/commonFraction
		acc.touched = acc.touched[:0]
		for f, lists := range s.lists[t.text] {
			if lists[i].Count() == 0 {
				continue
			}
			body := Field(f) == FieldBody
			rows = lists[i].Iterator(body, body, false, rows)
			if err := acc.scoreField(Field(f), rows, t.terms, grow); err != nil {
				return err
			}
		}
		weight := t.weight * s.idf(t.df) * (k1 + 1)
		for _, at := range acc.touched {
			d := &acc.docs[at]
			d.total += weight * d.tf / (d.tf + k1)
			d.tf = 0
		}
	}
	return nil
}

// scoreField adds the frequencies of a token in a field to the units in rows, and to new units if grow is true.
func (a *accumulator) scoreField(f Field, rows segment.PostingsIterator, terms Set, grow bool) error {
	for {
		p, err := rows.Next()
		if p == nil || err != nil {
			return err
		}
		at := a.at(p.Number(), grow)
		if at < 0 {
			continue
		}
		tf := fieldWeights[f]
		if f == FieldBody {
			tf *= math.Max(1, float64(p.Frequency())) / lengthFactor(p.(*zap.Posting).NormUint64()) // zap returns no other type
		}
		d := &a.docs[at]
		if d.tf == 0 {
			a.touched = append(a.touched, at)
		}
		d.tf += tf
		for n, w := range terms {
			a.matched[a.stride*int(at)+n] |= w
		}
	}
}

// best returns the best units that pass the filters. If too few pass, it tries four times as many.
func (s *search) best(ctx context.Context, segments []*accumulator) (hits []Hit, err error) {
	var top []found
	tried := math.Inf(1) // units with at least this score have been tried
	for wanted := s.q.K; len(top) < s.q.K && tried > 0; wanted *= 4 {
		least := nth(segments, wanted)
		for i, acc := range segments {
			for at := range acc.docs {
				d := &acc.docs[at]
				if d.total <= 0 || d.total < least || d.total >= tried {
					continue
				}
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				h, ok, err := s.name(i, acc, at)
				if err != nil {
					return nil, err
				}
				if ok {
					top = append(top, h)
				}
			}
		}
		tried = least
	}
	slices.SortFunc(top, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.unit, b.unit),
			cmp.Compare(a.ContentHash, b.ContentHash))
	})
	top = top[:min(len(top), s.q.K)]
	hits = make([]Hit, len(top))
	for i, h := range top {
		hits[i] = h.Hit
		if hits[i].Unit, err = s.rows.unitAt(h.row); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// name returns unit acc.docs[at] of segment i as a hit. ok is false if the unit doesn't pass the filters.
func (s *search) name(i int, acc *accumulator, at int) (h found, ok bool, err error) {
	d := &acc.docs[at]
	id, err := s.rows.segments[i].Segment().DocID(d.number)
	if err != nil {
		return h, false, err
	}
	k, err := parseKey(string(id))
	if err != nil || !k.IsUnit() || s.q.Language != "" && s.q.Language != k.Language ||
		s.admit != nil && !s.admit(k) || s.q.Filter != nil && !s.q.Filter(k.Path) {
		return h, false, err
	}
	return found{Hit{Path: k.Path, ContentHash: k.Hash, Language: k.Language, Score: d.total,
		Matched: slices.Clone(acc.terms(at))}, s.rows.starts[i] + d.number, k.number}, true, nil
}

type found struct {
	Hit
	row  uint64
	unit int // number of the unit in its file
}

// accumulator contains the scores of a segment's units. slots maps the number of a unit to its index in docs plus one.
type accumulator struct {
	slots   []int32
	docs    []scored
	touched []int32  // indexes in docs of units that contain the current token
	matched []uint64 // query terms found in each unit, as a bit set of stride words
	stride  int
}

type scored struct {
	number uint64
	tf     float64
	total  float64
}

// at returns the index in docs of the unit with the given number. It returns -1 if the unit is new and grow is false.
func (a *accumulator) at(number uint64, grow bool) int32 {
	if number >= uint64(len(a.slots)) {
		if !grow {
			return -1
		}
		a.slots = append(a.slots, make([]int32, int(number)+1-len(a.slots)+len(a.slots)/4)...)
	}
	if slot := a.slots[number]; slot > 0 {
		return slot - 1
	}
	if !grow {
		return -1
	}
	a.docs = append(a.docs, scored{number: number})
	for range a.stride {
		a.matched = append(a.matched, 0)
	}
	a.slots[number] = int32(len(a.docs))
	return int32(len(a.docs)) - 1
}

func (a *accumulator) terms(at int) Set { return Set(a.matched[a.stride*at : a.stride*(at+1)]) }

// nth returns the n-th highest score, or 0 if fewer units have a score.
func nth(segments []*accumulator, n int) (least float64) {
	var top []float64 // the n highest scores so far, and some lower ones
	cut := func() {
		slices.Sort(top)
		top = append(top[:0], top[len(top)-n:]...)
		least = top[0]
	}
	for _, a := range segments {
		for i := range a.docs {
			if t := a.docs[i].total; t > least {
				if top = append(top, t); len(top) == 2*n {
					cut()
				}
			}
		}
	}
	if len(top) < n {
		return 0
	}
	cut()
	return least
}

func (a *accumulator) reset(stride int) {
	for i := range a.docs {
		a.slots[a.docs[i].number] = 0
	}
	a.docs, a.matched, a.stride = a.docs[:0], a.matched[:0], stride
}
