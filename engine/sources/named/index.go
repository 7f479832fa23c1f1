package named

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/fulltext"
)

// Estimated memory in bytes, without the text.
const (
	placeBytes    = 20 // per token
	termBytes     = 56 // per distinct term of a document
	documentBytes = 256
	indexBytes    = 1024
)

type place struct {
	term       term
	start, end uint32
}

type document struct {
	id       string
	content  string
	metadata json.RawMessage
	places   []place
	numbers  map[term][]uint32 // for each term, the indexes of its elements in places
	bytes    int64
}

type index struct {
	tokenizer Tokenizer
	docs      map[string]*document
	bytes     int64
	tokens    int
}

func newIndex(t Tokenizer) *index { return &index{tokenizer: t, docs: map[string]*document{}} }

// read tokenizes a document. counted is the number of tokens in the tool's answer.
func (ix *index) read(id, content string, metadata json.RawMessage) (d *document, counted int) {
	tokens, terms := ix.tokenizer.tokens(content), map[string]term{}
	d = &document{id: id, content: content, metadata: metadata, places: make([]place, len(tokens)),
		numbers: map[term][]uint32{}}
	for i, tok := range tokens {
		t, known := terms[tok.form]
		if !known {
			t = ix.tokenizer.term(tok.form)
			terms[tok.form] = t
		}
		d.places[i], d.numbers[t] = place{t, uint32(tok.start), uint32(tok.end)}, append(d.numbers[t], uint32(i))
		if utf8.RuneCountInString(tok.form) >= ix.tokenizer.MinLength {
			counted++
		}
	}
	for t, numbers := range d.numbers {
		d.numbers[t] = slices.Clip(numbers)
	}
	d.bytes = documentBytes + int64(len(id)+len(content)+len(metadata)+termBytes*len(d.numbers)+placeBytes*len(tokens))
	return d, counted
}

func (ix *index) growth(d *document) int64 {
	if old := ix.docs[d.id]; old != nil {
		return d.bytes - old.bytes
	}
	return d.bytes
}

func (ix *index) put(d *document) {
	ix.bytes += ix.growth(d)
	ix.tokens += len(d.places)
	if old := ix.docs[d.id]; old != nil {
		ix.tokens -= len(old.places)
	}
	ix.docs[d.id] = d
}

type span struct{ start, end int }

func (ix *index) occurs(d *document, u unit) (out []span) {
	matches := func(p place, t token) bool {
		text := d.content[p.start:p.end]
		return p.term == t.term && (!u.exact || text == t.form || ix.tokenizer.form(text) == t.form)
	}
	rarest, numbers := 0, d.numbers[u.tokens[0].term]
	for i, t := range u.tokens {
		if n := d.numbers[t.term]; len(n) < len(numbers) {
			rarest, numbers = i, n
		}
	}
	for _, n := range numbers {
		from := int(n) - rarest
		to := from + len(u.tokens)
		if from >= 0 && to <= len(d.places) && slices.EqualFunc(d.places[from:to], u.tokens, matches) {
			out = append(out, span{int(d.places[from].start), int(d.places[to-1].end)})
		}
	}
	return out
}

func (ix *index) count(d *document, u unit) int {
	if len(u.tokens) == 1 && !u.exact {
		return len(d.numbers[u.tokens[0].term])
	}
	return len(ix.occurs(d, u))
}

func (ix *index) search(text string, k int) api.NamedAnswer {
	q := ix.tokenizer.parse(text)
	a := api.NamedAnswer{Results: []api.NamedResult{}}
	if strings.TrimSpace(text) != "" {
		a.Parsed = q.parsed()
	}
	found := ix.find(q)
	a.Total = len(found)
	for _, h := range found[:min(len(found), max(0, k))] {
		metadata := h.d.metadata
		if len(metadata) == 0 {
			metadata = json.RawMessage("{}")
		}
		a.Results = append(a.Results, api.NamedResult{
			// More digits could differ between processors.
			DocID: h.d.id, Score: math.Round(h.score*1e4) / 1e4, Highlights: ix.highlights(h.d, q), Metadata: metadata,
		})
	}
	return a
}

type hit struct {
	d      *document
	counts []int // occurrences in a document, for each word or phrase
	score  float64
}

func (ix *index) find(q query) []hit {
	units := q.scored()
	frequency, counts := make([]int, len(units)), make([]int, len(units))
	var found []hit
	for _, d := range ix.docs {
		occurs := false
		for i, u := range units {
			if counts[i] = ix.count(d, u); counts[i] > 0 {
				frequency[i]++
				occurs = true
			}
		}
		if occurs && ix.passes(d, q) {
			found = append(found, hit{d: d, counts: slices.Clone(counts)})
		}
	}
	for i := range found {
		h := &found[i]
		for u, n := range h.counts {
			if n > 0 {
				h.score += ix.weight(h.d, n, frequency[u])
			}
		}
	}
	slices.SortFunc(found, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.d.id, b.d.id))
	})
	return found
}

const slope = 0.2

func (ix *index) weight(d *document, occurrences, documents int) float64 {
	length := float64(len(d.places)) * float64(len(ix.docs)) / float64(max(1, ix.tokens)) // relative to the average length
	rarity := math.Log(1 + float64(len(ix.docs))/float64(documents))
	return math.Sqrt(float64(occurrences)) * rarity / (1 - slope + slope*length)
}

func (ix *index) passes(d *document, q query) bool {
	has := func(u unit) bool { return ix.count(d, u) > 0 }
	lacks := func(u unit) bool { return !has(u) }
	return !slices.ContainsFunc(q.must, lacks) && !slices.ContainsFunc(q.phrases, lacks) &&
		!slices.ContainsFunc(q.mustNot, has)
}

const (
	maxHighlights    = 3
	highlightContext = 60
)

// highlights returns excerpts: first those with the first match of each word and phrase, then those with the second
// match, and so on.
func (ix *index) highlights(d *document, q query) []string {
	units := slices.Concat(q.phrases, q.must, q.terms)
	places := make([][]span, len(units))
	most := 0
	for i, u := range units {
		places[i] = ix.occurs(d, u)
		most = max(most, len(places[i]))
	}
	out := []string{}
	var shown []span
	for n := range min(most, 64) { // usually, 64 matches fill all excerpts
		for i := range units {
			if n >= len(places[i]) || len(out) == maxHighlights {
				continue
			}
			p := places[i][n]
			if slices.ContainsFunc(shown, func(s span) bool { return p.start < s.end && p.end > s.start }) {
				continue
			}
			text, at := d.excerpt(p)
			out, shown = append(out, text), append(shown, at)
		}
	}
	return out
}

func (d *document) excerpt(p span) (text string, at span) {
	from, to := max(0, p.start-highlightContext), min(len(d.content), p.end+highlightContext)
	from, to = fulltext.Trim(d.content, from, p.start, p.end, to)
	return fulltext.Line(d.content, from, to), span{from, to}
}
