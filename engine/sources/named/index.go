package named

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// The memory in bytes of an occurrence, a document's distinct word, an index's distinct word, a document and an index,
// in addition to their texts. They are the sizes of the types below with their share of slices and maps.
const (
	placeBytes    = 12
	distinctBytes = 16 + 8
	wordBytes     = 112
	documentBytes = 256
	indexBytes    = 1024
)

type word struct {
	term string
	docs []*document
}

// occurrences is the range of one word's places in a document: places[from:to].
type occurrences struct {
	word     *word
	from, to uint32
}

// place is the position of a token: its number in the document, and its bytes.
type place struct {
	number, start, end uint32
}

type document struct {
	id       string
	content  string
	metadata json.RawMessage
	words    []occurrences
	places   []place // sorted by word, then by number
	bytes    int64
}

type index struct {
	tokenizer Tokenizer
	docs      map[string]*document
	words     map[string]*word
	bytes     int64
	places    int // total of all documents
}

func newIndex(t Tokenizer) *index {
	return &index{tokenizer: t, docs: map[string]*document{}, words: map[string]*word{}}
}

// read tokenizes a document without adding its words to the index; counted is token_count in the specification.
func (ix *index) read(id, content string, metadata json.RawMessage) (d *document, counted int) {
	d = &document{id: id, content: content, metadata: metadata}
	places, stems := map[string][]place{}, map[string]string{}
	for i, tok := range ix.tokenizer.tokens(content) {
		term, known := stems[tok.form]
		if !known {
			term = ix.tokenizer.term(tok.form)
			stems[tok.form] = term
		}
		places[term] = append(places[term], place{uint32(i), uint32(tok.start), uint32(tok.end)})
		if utf8.RuneCountInString(tok.form) >= ix.tokenizer.MinLength {
			counted++
		}
		d.bytes += placeBytes
	}
	terms := slices.Sorted(maps.Keys(places))
	d.words = make([]occurrences, 0, len(terms))
	d.places = make([]place, 0, d.bytes/placeBytes)
	d.bytes += documentBytes + int64(len(id)+len(content)+len(metadata)+len(terms)*distinctBytes)
	for _, term := range terms {
		w := ix.words[term]
		if w == nil {
			w = &word{term: strings.Clone(term)}
		}
		from := len(d.places)
		d.places = append(d.places, places[term]...)
		d.words = append(d.words, occurrences{w, uint32(from), uint32(len(d.places))})
	}
	return d, counted
}

// cost returns the memory growth of the index when a document is added.
func (ix *index) cost(d *document) int64 {
	n := d.bytes
	for _, o := range d.words {
		if len(o.word.docs) == 0 {
			n += wordBytes + int64(len(o.word.term))
		}
	}
	if old := ix.docs[d.id]; old != nil {
		n -= old.bytes
		for _, o := range old.words {
			if len(o.word.docs) == 1 {
				if _, kept := d.find(o.word.term); !kept {
					n -= wordBytes + int64(len(o.word.term))
				}
			}
		}
	}
	return n
}

// put adds a document that read returned, or replaces the document with the same id.
func (ix *index) put(d *document) {
	ix.bytes += ix.cost(d)
	ix.places += len(d.places)
	if old := ix.docs[d.id]; old != nil {
		ix.places -= len(old.places)
		for _, o := range old.words {
			w := o.word
			i := slices.Index(w.docs, old)
			last := len(w.docs) - 1
			w.docs[i], w.docs[last] = w.docs[last], nil
			if w.docs = w.docs[:last]; last == 0 {
				delete(ix.words, w.term)
			}
		}
	}
	ix.docs[d.id] = d
	for _, o := range d.words {
		o.word.docs = append(o.word.docs, d)
		ix.words[o.word.term] = o.word
	}
}

func (d *document) find(term string) ([]place, bool) {
	i, found := slices.BinarySearchFunc(d.words, term,
		func(o occurrences, t string) int { return strings.Compare(o.word.term, t) })
	if !found {
		return nil, false
	}
	return d.places[d.words[i].from:d.words[i].to], true
}

// occurs returns the positions of a unit in a document, from its first token to its last. It starts from the unit's
// rarest term, since the first word of an identifier may be very common.
func (ix *index) occurs(d *document, u unit) []span {
	places, rarest := make([][]place, len(u.terms)), 0
	for i, term := range u.terms {
		if places[i], _ = d.find(term); len(places[i]) == 0 {
			return nil
		}
		if len(places[i]) < len(places[rarest]) {
			rarest = i
		}
	}
	var out []span
	for _, p := range places[rarest] {
		if int(p.number) < rarest {
			continue
		}
		s, ok := span{}, true
		for i := 0; ok && i < len(places); i++ {
			at := p
			if i != rarest {
				at, ok = numbered(places[i], p.number-uint32(rarest)+uint32(i))
			}
			ok = ok && (!u.exact || ix.reads(d, at, u.forms[i]))
			if i == 0 {
				s.start = int(at.start)
			}
			s.end = int(at.end)
		}
		if ok {
			out = append(out, s)
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

type span struct{ start, end int }

// reads reports whether a token has exactly the given form.
func (ix *index) reads(d *document, p place, form string) bool {
	text := d.content[p.start:p.end]
	return text == form || ix.tokenizer.form(text) == form
}

// holders returns the documents that may contain a unit, which are the documents with its rarest term.
func (ix *index) holders(u unit) []*document {
	var rarest []*document
	for i, term := range u.terms {
		w := ix.words[term]
		if w == nil {
			return nil
		}
		if i == 0 || len(w.docs) < len(rarest) {
			rarest = w.docs
		}
	}
	return rarest
}

func (ix *index) search(text string, k int) api.NamedAnswer {
	q := ix.tokenizer.parse(text)
	a := api.NamedAnswer{Results: []api.NamedResult{}}
	if strings.TrimSpace(text) != "" {
		a.Parsed = q.parsed()
	}
	found := ix.scores(q, ix.filter(slices.Concat(q.must, q.phrases), q.mustNot))
	list := slices.SortedFunc(maps.Keys(found), func(a, b *document) int {
		return cmp.Or(cmp.Compare(found[b], found[a]), strings.Compare(a.id, b.id))
	})
	a.Total = len(list)
	for _, d := range list[:min(len(list), max(0, k))] {
		metadata := d.metadata // an object, as received
		if len(metadata) == 0 {
			metadata = json.RawMessage("{}")
		}
		a.Results = append(a.Results, api.NamedResult{
			DocID: d.id, Score: round(found[d]), Highlights: ix.highlights(d, q), Metadata: metadata,
		})
	}
	return a
}

// round rounds to four digits, which suffices for sorting and is the same on every machine.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// scores returns the sums of the package comment's weights, over terms and words of phrases, for the documents that
// pass a filter.
func (ix *index) scores(q query, f filter) map[*document]float64 {
	out := map[*document]float64{}
	seen := map[string]bool{}
	add := func(u unit) {
		key := strings.Join(u.terms, " ")
		if seen[key] {
			return
		}
		seen[key] = true
		if len(u.terms) == 1 {
			if w := ix.words[u.terms[0]]; w != nil {
				for _, d := range w.docs {
					if f.passes(d) {
						places, _ := d.find(w.term)
						out[d] += ix.weight(d, len(places), len(w.docs))
					}
				}
			}
			return
		}
		counts := map[*document]int{}
		for _, d := range ix.holders(u) {
			if n := len(ix.occurs(d, u)); n > 0 {
				counts[d] = n
			}
		}
		for d, n := range counts {
			if f.passes(d) {
				out[d] += ix.weight(d, n, len(counts))
			}
		}
	}
	for _, u := range slices.Concat(q.terms, q.must) {
		add(u)
	}
	for _, u := range q.phrases {
		for i := range u.terms {
			add(unit{terms: u.terms[i : i+1], forms: u.forms[i : i+1]})
		}
	}
	return out
}

// slope determines the effect of a document's length. 0.2 is Singhal's value for pivoted normalization.
const slope = 0.2

// weight returns the weight of a term from its frequency in the document and its document frequency.
func (ix *index) weight(d *document, occurrences, documents int) float64 {
	length := float64(len(d.places)) * float64(len(ix.docs)) / float64(max(1, ix.places)) // relative to the average
	rarity := math.Log(1 + float64(len(ix.docs))/float64(documents))
	return math.Sqrt(float64(occurrences)) * rarity / (1 - slope + slope*length)
}

// filter is the set of documents that have the required units and none of the excluded ones.
type filter struct {
	only map[*document]bool // nil for all
	not  map[*document]bool
}

func (f filter) passes(d *document) bool { return (f.only == nil || f.only[d]) && !f.not[d] }

// filter checks only the documents with the rarest required unit, never all documents.
func (ix *index) filter(required, excluded []unit) filter {
	f := filter{not: map[*document]bool{}}
	for _, u := range excluded {
		for _, d := range ix.holders(u) {
			if ix.has(d, u) {
				f.not[d] = true
			}
		}
	}
	slices.SortStableFunc(required, func(a, b unit) int { return cmp.Compare(len(ix.holders(a)), len(ix.holders(b))) })
	for _, u := range required {
		have := map[*document]bool{}
		for _, d := range ix.holders(u) {
			if f.passes(d) && ix.has(d, u) {
				have[d] = true
			}
		}
		f.only = have
	}
	return f
}

func (ix *index) has(d *document, u unit) bool {
	return len(u.terms) == 1 && !u.exact || len(ix.occurs(d, u)) > 0
}

// Limits of highlights. At most three are shown (from the specification), each about a line long.
const (
	maxHighlights    = 3
	highlightContext = 60 // bytes on either side of a match
)

// highlights returns excerpts around the matches of phrases, then of required terms, then of other terms. Each is shown
// once before any is repeated. Nearby matches share an excerpt.
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
	for n := range min(most, 64) { // later matches are close to shown ones
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

// excerpt cuts at white space if possible and never inside a character. Three dots mark a cut.
func (d *document) excerpt(p span) (text string, at span) {
	from, to := max(0, p.start-highlightContext), min(len(d.content), p.end+highlightContext)
	if from > 0 {
		if i := strings.IndexAny(d.content[from:p.start], " \t\r\n"); i >= 0 {
			from += i + 1
		}
		for from < p.start && !utf8.RuneStart(d.content[from]) {
			from++
		}
	}
	if to < len(d.content) {
		if i := strings.LastIndexAny(d.content[p.end:to], " \t\r\n"); i >= 0 {
			to = p.end + i
		}
		for to > p.end && !utf8.RuneStart(d.content[to]) {
			to--
		}
	}
	text = strings.Join(strings.Fields(d.content[from:to]), " ")
	if from > 0 {
		text = "..." + text
	}
	if to < len(d.content) {
		text += "..."
	}
	return text, span{from, to}
}
