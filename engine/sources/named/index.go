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

// The memory, in bytes, of an occurrence, a distinct term of a document, a document and an index, without their texts.
// It includes their share of slices and maps.
const (
	placeBytes    = 12
	termBytes     = 56
	documentBytes = 256
	indexBytes    = 1024
)

type place struct {
	number, start, end uint32
}

type document struct {
	id       string
	content  string
	metadata json.RawMessage
	places   map[term][]place
	tokens   int
	bytes    int64
}

type index struct {
	tokenizer Tokenizer
	docs      map[string]*document
	bytes     int64
	tokens    int
}

func newIndex(t Tokenizer) *index { return &index{tokenizer: t, docs: map[string]*document{}} }

// read returns a tokenized document, without adding it to the index. counted is token_count in the specification.
func (ix *index) read(id, content string, metadata json.RawMessage) (d *document, counted int) {
	tokens, terms := ix.tokenizer.tokens(content), map[string]term{}
	d = &document{id: id, content: content, metadata: metadata, places: map[term][]place{}, tokens: len(tokens)}
	for i, tok := range tokens {
		t, known := terms[tok.form]
		if !known {
			t = ix.tokenizer.term(tok.form)
			terms[tok.form] = t
		}
		d.places[t] = append(d.places[t], place{uint32(i), uint32(tok.start), uint32(tok.end)})
		if utf8.RuneCountInString(tok.form) >= ix.tokenizer.MinLength {
			counted++
		}
	}
	for t, places := range d.places {
		d.places[t] = append(make([]place, 0, len(places)), places...)
	}
	d.bytes = documentBytes + int64(len(id)+len(content)+len(metadata)+termBytes*len(d.places)+placeBytes*d.tokens)
	return d, counted
}

// growth returns the number of bytes by which put(d) increases the memory of the index.
func (ix *index) growth(d *document) int64 {
	if old := ix.docs[d.id]; old != nil {
		return d.bytes - old.bytes
	}
	return d.bytes
}

func (ix *index) put(d *document) {
	ix.bytes += ix.growth(d)
	ix.tokens += d.tokens
	if old := ix.docs[d.id]; old != nil {
		ix.tokens -= old.tokens
	}
	ix.docs[d.id] = d
}

type span struct{ start, end int }

// occurs returns the byte ranges of a unit in a document. It starts with the unit's rarest term, because the others may
// be very common.
func (ix *index) occurs(d *document, u unit) (out []span) {
	places, rarest := make([][]place, len(u.terms)), 0
	for i, t := range u.terms {
		if places[i] = d.places[t]; len(places[i]) == 0 {
			return nil
		}
		if len(places[i]) < len(places[rarest]) {
			rarest = i
		}
	}
	for _, p := range places[rarest] {
		tokens := make([]place, 0, 4)
		for i := range places {
			at, ok := numbered(places[i], p.number-uint32(rarest)+uint32(i))
			if !ok || u.exact && !ix.reads(d, at, u.forms[i]) {
				break
			}
			tokens = append(tokens, at)
		}
		if len(tokens) == len(places) {
			out = append(out, span{int(tokens[0].start), int(tokens[len(tokens)-1].end)})
		}
	}
	return out
}

func numbered(places []place, number uint32) (place, bool) {
	i, ok := slices.BinarySearchFunc(places, number, func(p place, n uint32) int { return cmp.Compare(p.number, n) })
	if !ok {
		return place{}, false
	}
	return places[i], true
}

// reads reports whether the token at p has the given form, and not only the same stem.
func (ix *index) reads(d *document, p place, form string) bool {
	text := d.content[p.start:p.end]
	return text == form || ix.tokenizer.form(text) == form
}

func (ix *index) count(d *document, u unit) int {
	if len(u.terms) == 1 && !u.exact {
		return len(d.places[u.terms[0]])
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
			DocID: h.d.id, Score: round(h.score), Highlights: ix.highlights(h.d, q), Metadata: metadata,
		})
	}
	return a
}

// round rounds to four digits, so that scores are the same on every machine.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

type hit struct {
	d      *document
	counts []int // occurrences of each scored unit of the query
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
	length := float64(d.tokens) * float64(len(ix.docs)) / float64(max(1, ix.tokens)) // relative to the average
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
	highlightContext = 60 // bytes on either side of a match
)

// highlights returns excerpts with the first matches of phrases, required terms and other terms, in this order, then
// with their second matches, and so on. Nearby matches share an excerpt.
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
	for n := range min(most, 64) { // later matches are usually in an excerpt already
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
