package fulltext

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// BM25's parameters: how fast more occurrences stop counting, and how much a field's length does. A title of a few
// words says with one occurrence what a text says with several.
const (
	longK, shortK = 1.2, 0.3
	lengthB       = 0.6
	shortField    = 40 // words on average
	titleBonus    = 0.15
	missingShare  = 0.6 // of raw is lost when every word but one is missing, about
)

// Index is the set of documents. It is safe for concurrent use.
type Index struct {
	fields []float64 // their weights, together 1
	only   *Set      // nil: every word

	mu    sync.RWMutex
	words map[string]*entry
	list  []*entry
	docs  []document
	byID  map[string]int32
	total []int // words of each field, of live documents
	live  int
}

type document struct {
	id      string
	lengths []int32
	words   []*entry // distinct
	gone    bool
}

// entry is one word of the index.
type entry struct {
	text     string
	stem     string
	length   int // letters
	mask     uint64
	live     int // documents
	postings []posting
}

func newEntry(text string) *entry {
	e := &entry{text: text, stem: text, length: utf8.RuneCountInString(text), mask: letterMask(text)}
	if stem := Stem(text); strings.HasPrefix(text, stem) {
		e.stem = text[:len(stem)] // of the same memory
	} else {
		e.stem = stem
	}
	return e
}

type posting struct {
	doc   int32
	field uint16
	count uint16
}

// New makes an empty index of documents with fields of these weights, which are relative to each other.
func New(fields ...float64) *Index {
	sum := 0.0
	for _, weight := range fields {
		sum += weight
	}
	scaled := slices.Clone(fields)
	for i := range scaled {
		scaled[i] /= sum
	}
	return &Index{fields: scaled, words: map[string]*entry{}, byID: map[string]int32{}, total: make([]int, len(fields))}
}

// NewOf makes an empty index that holds these words only, for who knows what will be asked. The others count in
// lengths.
func NewOf(words *Set, fields ...float64) *Index {
	ix := New(fields...)
	ix.only = words
	return ix
}

// Put adds a document, in place of the one of that id; texts are in the order of the fields.
func (ix *Index) Put(id string, texts ...string) {
	counts := map[string][]uint16{}
	lengths := make([]int32, len(ix.fields))
	for f, text := range texts {
		count := func(word string) {
			if len(word) > maxWord {
				return
			}
			c := counts[word]
			if c == nil {
				c = make([]uint16, len(ix.fields))
				counts[strings.Clone(word)] = c
			}
			if c[f] < math.MaxUint16 {
				c[f]++
			}
		}
		last := Word{End: -2} // next to no word
		lengths[f] = int32(scan(text, ix.only, func(_ int, w Word) bool {
			count(w.Text)
			if w.Start == last.End+1 && (text[last.End] == '-' || text[last.End] == '.') {
				count(last.Text + w.Text) // wifi for Wi-Fi, nodejs for Node.js
			}
			last = w
			return true
		}))
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.drop(id)
	n := int32(len(ix.docs))
	d := document{id: id, lengths: lengths, words: make([]*entry, 0, len(counts))}
	for text, c := range counts {
		e := ix.words[text]
		if e == nil {
			e = newEntry(text)
			ix.words[text] = e
			ix.list = append(ix.list, e)
		}
		e.live++
		for f, count := range c {
			if count > 0 {
				e.postings = append(e.postings, posting{n, uint16(f), count})
			}
		}
		d.words = append(d.words, e)
	}
	ix.docs = append(ix.docs, d)
	ix.byID[id] = n
	ix.live++
	for f, l := range lengths {
		ix.total[f] += int(l)
	}
}

// maxWord keeps hashes and encoded data, which nobody types, out of the vocabulary; in bytes.
const maxWord = 60

// Remove takes a document out.
func (ix *Index) Remove(id string) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.drop(id)
}

// drop marks a document as gone; its postings go when half of all are of such documents.
func (ix *Index) drop(id string) {
	n, known := ix.byID[id]
	if !known {
		return
	}
	d := &ix.docs[n]
	d.gone = true
	for _, e := range d.words {
		e.live--
	}
	d.words = nil
	for f, l := range d.lengths {
		ix.total[f] -= int(l)
	}
	delete(ix.byID, id)
	ix.live--
	if gone := len(ix.docs) - ix.live; gone > 64 && gone > ix.live {
		ix.compact()
	}
}

func (ix *Index) compact() {
	number := make([]int32, len(ix.docs))
	docs := make([]document, 0, ix.live)
	for i, d := range ix.docs {
		number[i] = -1
		if !d.gone {
			number[i] = int32(len(docs))
			ix.byID[d.id] = number[i]
			docs = append(docs, d)
		}
	}
	ix.docs = docs
	ix.list = slices.DeleteFunc(ix.list, func(e *entry) bool {
		if e.live == 0 {
			delete(ix.words, e.text)
			return true
		}
		kept := e.postings[:0]
		for _, p := range e.postings {
			if n := number[p.doc]; n >= 0 {
				p.doc = n
				kept = append(kept, p)
			}
		}
		e.postings = kept
		return false
	})
}

// Len is the number of documents.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.live
}

// Query is one search.
type Query struct {
	Text   string
	Limit  int
	Exact  bool                 // forgive no typing errors and no abbreviations
	Fields []int                // to search in; nil means all
	Only   func(id string) bool // nil: every document
	// Near gives the texts of a document in which it counts that the words stand together. It is asked for the first
	// NearHits documents; nil: it counts nowhere, for the index keeps no places.
	Near     func(id string) []string
	NearHits int
}

// Hit is one found document.
type Hit struct {
	ID    string
	Score float64  // in [0,1]
	Words []string // of the document, that the query's stand for
}

// Search returns the best documents, best first, and how many were found in all. Equal scores are ordered by id.
func (ix *Index) Search(q Query) (hits []Hit, total int) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	terms := Terms(q.Text)
	if len(terms) == 0 || ix.live == 0 {
		return nil, 0
	}
	s := ix.collect(terms, q)
	found := make([]Hit, 0, len(s.found))
	for _, n := range s.found {
		d := &ix.docs[n]
		if q.Only != nil && !q.Only(d.id) {
			continue
		}
		found = append(found, Hit{ID: d.id, Score: round(s.score(ix, s.sumsOf(ix, n)))})
	}
	sortHits(found)
	s.boostProximity(q, terms, found)
	total = len(found)
	found = found[:min(max(0, q.Limit), total)]
	for i := range found {
		found[i].Words = s.wordsOf(ix, ix.byID[found[i].ID])
	}
	return found, total
}

// round keeps four digits: enough to order by, and the same on every machine.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// search is one search's work.
type search struct {
	terms      int
	expansions [][]expansion
	idf        []float64
	idfSum     float64
	searched   []bool    // by field
	share      float64   // of the weights, in the fields that are searched
	found      []int32   // documents with any of the words
	has        []bool    // by document: it is among them
	sums       []float32 // by document, term and field: saturated count times quality
}

// sumsOf is a document's part of sums.
func (s *search) sumsOf(ix *Index, doc int32) []float32 {
	n := s.terms * len(ix.fields)
	return s.sums[int(doc)*n : (int(doc)+1)*n]
}

func (ix *Index) collect(terms []string, q Query) *search {
	s := &search{
		terms: len(terms), searched: make([]bool, len(ix.fields)),
		has: make([]bool, len(ix.docs)), sums: make([]float32, len(ix.docs)*len(terms)*len(ix.fields)),
	}
	for f := range ix.fields {
		if q.Fields == nil || slices.Contains(q.Fields, f) {
			s.searched[f] = true
			s.share += ix.fields[f]
		}
	}
	for t, term := range terms {
		m := ix.expansions(term, !q.Exact)
		idf := math.Log(1 + float64(ix.live)) // of a word that does not occur: as distinctive as the rarest
		if len(m) > 0 {
			df := 0
			for _, w := range m {
				df = max(df, w.word.live)
			}
			idf = math.Log(1 + float64(ix.live)/float64(df))
		}
		s.expansions, s.idf, s.idfSum = append(s.expansions, m), append(s.idf, idf), s.idfSum+idf
		for _, w := range m {
			s.add(ix, t, w)
		}
	}
	return s
}

func (s *search) add(ix *Index, t int, m expansion) {
	fields := len(ix.fields)
	for _, p := range m.word.postings {
		d := &ix.docs[p.doc]
		f := int(p.field)
		if d.gone || !s.searched[f] {
			continue
		}
		if !s.has[p.doc] {
			s.has[p.doc] = true
			s.found = append(s.found, p.doc)
		}
		average := float64(ix.total[f]) / float64(ix.live)
		k := longK
		if average < shortField {
			k = shortK
		}
		tf := float64(p.count)
		v := float32(m.quality * tf / (tf + k*(1-lengthB+lengthB*float64(d.lengths[f])/average)))
		at := (int(p.doc)*s.terms+t)*fields + f
		s.sums[at] = max(s.sums[at], v)
	}
}

func (s *search) score(ix *Index, sums []float32) (score float64) {
	fields := len(ix.fields)
	raw, present := 0.0, 0.0
	whole := false
	for t := range s.terms {
		if slices.Max(sums[t*fields:(t+1)*fields]) > 0 {
			present += s.idf[t]
		}
	}
	for f := range fields {
		if !s.searched[f] {
			continue
		}
		sum, all := 0.0, true
		for t := range s.terms {
			v := float64(sums[t*fields+f])
			sum += s.idf[t] * v
			all = all && v > 0
		}
		raw += ix.fields[f] / s.share * sum / s.idfSum
		whole = whole || all && ix.total[f] < shortField*ix.live
	}
	raw *= 1 - missingShare*(1-present/s.idfSum)
	if whole {
		raw += titleBonus
	}
	return math.Sqrt(min(1, raw))
}

// wordsOf lists the document's words that the query found. Where one of the query's stands there itself, or in another
// form, words that merely begin with it or resemble it are not what was meant.
func (s *search) wordsOf(ix *Index, n int32) []string {
	var out []string
	for _, ms := range s.expansions {
		own := slices.ContainsFunc(ms, func(m expansion) bool { return m.quality >= stemQuality && s.in(n, m.word) })
		for _, m := range ms {
			if (!own || m.quality >= stemQuality) && s.in(n, m.word) {
				out = append(out, m.word.text)
			}
		}
	}
	return out
}

// in reports whether a document has a word in a field that is searched.
func (s *search) in(n int32, word *entry) bool {
	return slices.ContainsFunc(word.postings, func(p posting) bool { return p.doc == n && s.searched[p.field] })
}

// best keeps the likeliest expansions.
func best(m []expansion) []expansion {
	if len(m) > maxExpansions {
		slices.SortFunc(m, func(a, b expansion) int {
			return cmp.Or(cmp.Compare(b.quality, a.quality), cmp.Compare(b.word.live, a.word.live),
				strings.Compare(a.word.text, b.word.text))
		})
		m = m[:maxExpansions]
	}
	return m
}
