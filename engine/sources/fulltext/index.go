package fulltext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/registry"
	"github.com/blevesearch/bleve/v2/search/query"
)

// Index is a set of documents in an in-memory bleve index. It is safe for concurrent use.
type Index struct {
	weights []float64
	ix      bleve.Index

	mu      sync.Mutex
	changes *bleve.Batch // changes that have not been applied to ix
	words   *Vocabulary  // vocabulary of ix; nil after a change
}

// allField contains the stemmed words of all fields, and wordsField contains the words as written.
const (
	allField   = "all"
	wordsField = "words"
)

// fieldWeight is the weight of a single field relative to allField. It is small, because bleve gives a word in a
// title twenty times the score of a word in a page's text (`make bench-sources`).
const fieldWeight = 0.3

// analyzer makes bleve index the words that Words returns, stemmed or as written. It also indexes words joined by a
// hyphen or a dot as one word: "nodejs" for "Node.js".
type analyzer struct{ stems bool }

func (a analyzer) Analyze(text []byte) analysis.TokenStream {
	words := Words(string(text))
	out := make(analysis.TokenStream, 0, len(words))
	terms := map[string][]byte{}
	add := func(word string, start, end, position int) {
		if len(word) > maxWord {
			return
		}
		term := terms[word]
		if term == nil {
			if term = []byte(word); a.stems {
				term = []byte(Stem(word))
			}
			terms[word] = term
		}
		out = append(out, &analysis.Token{Term: term, Start: start, End: end, Position: position})
	}
	for i, w := range words {
		add(w.Text, w.Start, w.End, i+1)
		if i > 0 && w.Start == words[i-1].End+1 && (text[words[i-1].End] == '-' || text[words[i-1].End] == '.') {
			add(words[i-1].Text+w.Text, words[i-1].Start, w.End, i)
		}
	}
	return out
}

// maxWord is the maximum length of a word in the vocabulary, in bytes. It excludes hashes and encoded data.
const maxWord = 60

const stemmed, written = "search-mcp stems", "search-mcp words"

var registered = sync.OnceValue(func() error {
	for name, a := range map[string]analyzer{stemmed: {true}, written: {false}} {
		err := registry.RegisterAnalyzer(name, func(map[string]any, *registry.Cache) (analysis.Analyzer, error) {
			return a, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
})

// New returns an empty index of documents with fields of the given weights. It ranks by TF-IDF, because bleve's BM25
// counts only the distinct words of a field.
func New(weights ...float64) *Index {
	m := bleve.NewIndexMapping()
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	fields := []string{allField}
	for f := range weights {
		fields = append(fields, strconv.Itoa(f))
	}
	for _, f := range fields {
		m.DefaultMapping.AddFieldMappingsAt(f, &mapping.FieldMapping{Type: "text", Index: true, Analyzer: stemmed})
	}
	m.DefaultMapping.AddFieldMappingsAt(wordsField, &mapping.FieldMapping{Type: "text", Index: true, SkipFreqNorm: true,
		Analyzer: written})
	err := registered()
	var ix bleve.Index
	if err == nil {
		ix, err = bleve.NewUsing("", m, scorch.Name, scorch.Name, nil)
	}
	if err != nil {
		panic(fmt.Errorf("make index in memory: %w", err))
	}
	x := &Index{weights: weights, ix: ix, changes: ix.NewBatch()}
	runtime.AddCleanup(x, func(ix bleve.Index) { _ = ix.Close() }, ix)
	return x
}

func (x *Index) Put(id string, texts ...string) {
	all := strings.Join(texts, "\n")
	fields := map[string]any{allField: all, wordsField: all}
	for f, text := range texts {
		fields[strconv.Itoa(f)] = text
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	_ = x.changes.Index(id, fields) // fails only for an empty id
	x.words = nil
}

// Prepare applies the changes before the next search. If Prepare fails, the next search returns the error.
func (x *Index) Prepare() { _, _ = x.ready() }

func (x *Index) Remove(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.changes.Delete(id)
	x.words = nil
}

func (x *Index) ready() (*Vocabulary, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.words != nil {
		return x.words, nil
	}
	if err := x.ix.Batch(x.changes); err != nil {
		return nil, fmt.Errorf("index in memory: %w", err)
	}
	x.changes.Reset()
	dict, err := x.ix.FieldDict(wordsField)
	if err != nil {
		return nil, fmt.Errorf("read words of index: %w", err)
	}
	words := map[string]int{}
	e, err := dict.Next()
	for ; e != nil && err == nil; e, err = dict.Next() {
		words[e.Term] = int(e.Count)
	}
	if err := errors.Join(err, dict.Close()); err != nil {
		return nil, fmt.Errorf("read words of index: %w", err)
	}
	x.words = NewVocabulary(words)
	return x.words, nil
}

type Query struct {
	Text   string
	Limit  int
	Fields []int
	Only   func(id string) bool
}

type Hit struct {
	ID    string
	Score float64 // in [0,1]
	Words []string
}

func (x *Index) Search(ctx context.Context, q Query) (hits []Hit, total int, err error) {
	words, err := x.ready()
	if err != nil {
		return nil, 0, err
	}
	asked := termQuery{words: map[string]bool{}}
	for _, term := range Terms(q.Text) {
		asked.add(words.expansions(term))
	}
	if len(asked.words) == 0 {
		return nil, 0, nil
	}
	documents, err := x.ix.DocCount()
	if err != nil {
		return nil, 0, fmt.Errorf("count documents of index: %w", err)
	}
	found, err := x.ix.SearchInContext(ctx,
		bleve.NewSearchRequestOptions(asked.query(x.weights, q.Fields), int(documents), 0, false))
	if err != nil {
		return nil, 0, fmt.Errorf("search index in memory: %w", err)
	}
	marked := slices.Sorted(maps.Keys(asked.words))
	for _, h := range found.Hits {
		if q.Only == nil || q.Only(h.ID) {
			hits = append(hits, Hit{ID: h.ID, Score: math.Round(1e4*h.Score/(h.Score+halfScore)) / 1e4, Words: marked})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return hits[:min(max(0, q.Limit), len(hits))], len(hits), nil
}

const halfScore = 0.15

type termQuery struct {
	terms []map[string]float64
	words map[string]bool
}

func (a *termQuery) add(list []expansion) {
	similar := map[string]float64{}
	for _, e := range list {
		similar[e.word.stem] = max(similar[e.word.stem], e.quality)
		a.words[e.word.text] = true
	}
	a.terms = append(a.terms, similar)
}

func (a *termQuery) query(weights []float64, fields []int) query.Query {
	if fields != nil {
		q := bleve.NewDisjunctionQuery()
		for _, f := range fields {
			q.AddQuery(a.in(strconv.Itoa(f), 1))
		}
		return q
	}
	q := bleve.NewBooleanQuery()
	q.AddMust(a.in(allField, 1))
	for f, weight := range weights {
		q.AddShould(a.in(strconv.Itoa(f), fieldWeight*weight))
	}
	return q
}

func (a *termQuery) in(field string, weight float64) query.Query {
	all := bleve.NewDisjunctionQuery()
	for _, similar := range a.terms {
		one := bleve.NewDisjunctionQuery()
		for _, stem := range slices.Sorted(maps.Keys(similar)) {
			t := bleve.NewTermQuery(stem)
			t.SetField(field)
			t.SetBoost(weight * similar[stem])
			one.AddQuery(t)
		}
		if len(similar) == 1 {
			all.AddQuery(one.Disjuncts...)
		} else {
			all.AddQuery(one)
		}
	}
	return all
}
