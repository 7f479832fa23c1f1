package named

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// What one posting, document and index cost beside their text, about: map entries, slice headers, numbers.
const (
	postingBytes  = 96
	documentBytes = 256
	indexBytes    = 1024
)

type document struct {
	id       string
	content  string
	metadata map[string]any
	places   map[string][]token // by term, in order of the text
	order    map[int]int        // byte offset of a token → its number, for phrases
	length   int                // tokens
	bytes    int64
}

func newDocument(id, content string, metadata map[string]any, t Tokenizer) *document {
	d := &document{id: id, content: content, metadata: metadata, places: map[string][]token{}, order: map[int]int{}}
	for i, tok := range t.tokens(content) {
		d.places[tok.term] = append(d.places[tok.term], tok)
		d.order[tok.start] = i
		d.length++
	}
	d.bytes = documentBytes + int64(len(id)+len(content)) + int64(d.length)*postingBytes + metadataBytes(metadata)
	return d
}

func metadataBytes(v any) int64 {
	switch v := v.(type) {
	case map[string]any:
		var n int64 = 48
		for k, e := range v {
			n += int64(len(k)) + 32 + metadataBytes(e)
		}
		return n
	case []any:
		var n int64 = 24
		for _, e := range v {
			n += 16 + metadataBytes(e)
		}
		return n
	case string:
		return int64(len(v)) + 16
	}
	return 16
}

type index struct {
	tokenizer Tokenizer
	docs      map[string]*document
	postings  map[string]map[string]*document // by term, then id
	bytes     int64
}

func newIndex(t Tokenizer) *index {
	return &index{tokenizer: t, docs: map[string]*document{}, postings: map[string]map[string]*document{}}
}

func (ix *index) put(d *document) {
	if old := ix.docs[d.id]; old != nil {
		for term := range old.places {
			delete(ix.postings[term], d.id)
			if len(ix.postings[term]) == 0 {
				delete(ix.postings, term)
			}
		}
		ix.bytes -= old.bytes
	}
	ix.docs[d.id] = d
	ix.bytes += d.bytes
	for term := range d.places {
		if ix.postings[term] == nil {
			ix.postings[term] = map[string]*document{}
		}
		ix.postings[term][d.id] = d
	}
}

// Result is one found document.
type Result struct {
	DocID      string         `json:"doc_id"`
	Score      float64        `json:"score"`
	Highlights []string       `json:"highlights"`
	Metadata   map[string]any `json:"metadata"`
}

// Answer is the outcome of a search. Empty tells a query without any term.
type Answer struct {
	Results []Result
	Total   int
	Parsed  Parsed
	Empty   bool
}

// DefaultK is how many results search_index gives when it is not told.
const DefaultK = 10

func (ix *index) search(query string, k int) Answer {
	parsed := ix.tokenizer.Parse(query)
	a := Answer{Results: []Result{}, Parsed: parsed}
	wanted := parsed.scoringTerms()
	if len(wanted) == 0 {
		a.Empty = len(parsed.MustNot) == 0
		return a
	}
	type scored struct {
		doc   *document
		score float64
	}
	var found []scored
	for _, d := range ix.candidates(parsed, wanted) {
		if parsed.allows(d) {
			found = append(found, scored{d, ix.score(d, wanted)})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.doc.id, b.doc.id))
	})
	a.Total = len(found)
	for _, f := range found[:min(len(found), max(0, k))] {
		a.Results = append(a.Results, Result{
			DocID: f.doc.id, Score: round(f.score), Highlights: f.doc.highlights(wanted), Metadata: orEmpty(f.doc.metadata),
		})
	}
	return a
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// round keeps four digits: enough to order by, and the same on every machine.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// scoringTerms lists the distinct terms that a document is scored by.
func (p Parsed) scoringTerms() []string {
	var out []string
	add := func(term string) {
		if !slices.Contains(out, term) {
			out = append(out, term)
		}
	}
	for _, t := range p.Terms {
		add(t)
	}
	for _, t := range p.Must {
		add(t)
	}
	for _, ph := range p.Phrases {
		for _, t := range strings.Fields(ph) {
			add(t)
		}
	}
	return out
}

// candidates are the documents with any wanted term; where some must occur, only those of the rarest.
func (ix *index) candidates(p Parsed, wanted []string) map[string]*document {
	must := slices.Clone(p.Must)
	for _, ph := range p.Phrases {
		must = append(must, strings.Fields(ph)...)
	}
	if len(must) > 0 {
		return ix.postings[slices.MinFunc(must, func(a, b string) int { return len(ix.postings[a]) - len(ix.postings[b]) })]
	}
	out := map[string]*document{}
	for _, t := range wanted {
		for id, d := range ix.postings[t] {
			out[id] = d
		}
	}
	return out
}

func (p Parsed) allows(d *document) bool {
	for _, t := range p.Must {
		if len(d.places[t]) == 0 {
			return false
		}
	}
	for _, ph := range p.Phrases {
		if !d.hasPhrase(ph) {
			return false
		}
	}
	for _, ph := range p.MustNot {
		if d.hasPhrase(ph) {
			return false
		}
	}
	return true
}

// hasPhrase reports whether the terms stand next to each other in that order; a single term is a phrase of one.
func (d *document) hasPhrase(phrase string) bool {
	terms := strings.Fields(phrase)
	for _, first := range d.places[terms[0]] {
		at, ok := d.order[first.start], true
		for i, t := range terms[1:] {
			if !d.at(t, at+i+1) {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
	}
	return false
}

func (d *document) at(term string, number int) bool {
	_, ok := slices.BinarySearchFunc(d.places[term], number, func(t token, n int) int { return d.order[t.start] - n })
	return ok
}

// score is the sum in the package comment.
func (ix *index) score(d *document, wanted []string) float64 {
	total := float64(len(ix.docs))
	sum := 0.0
	for _, t := range wanted {
		if f := len(d.places[t]); f > 0 {
			sum += (1 + math.Log(float64(f))) * math.Log(1+total/float64(len(ix.postings[t])))
		}
	}
	return sum
}

// Highlights: at most three (the specification's number), each about a line long.
const (
	maxHighlights    = 3
	highlightContext = 60 // bytes on either side of a match
)

// highlights are excerpts around the wanted terms in the order of the text; matches that lie close share one.
func (d *document) highlights(wanted []string) []string {
	var places []token
	for _, t := range wanted {
		places = append(places, d.places[t]...)
	}
	slices.SortFunc(places, func(a, b token) int { return a.start - b.start })
	out := []string{}
	end := -1
	for _, p := range places {
		if p.start < end {
			continue
		}
		if len(out) == maxHighlights {
			break
		}
		var text string
		text, end = d.excerpt(p)
		out = append(out, text)
	}
	return out
}

// excerpt cuts at white space where there is some, never inside a character, and marks what was cut by three dots.
func (d *document) excerpt(p token) (text string, end int) {
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
	return text, to
}
