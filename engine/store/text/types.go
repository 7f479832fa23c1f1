package text

import "searchmcp/engine/api"

// Field is a part of a unit that is indexed and weighed on its own.
type Field uint8

// The fields of a unit.
const (
	FieldBody    Field = iota // its lines, comments included
	FieldSymbols              // the names that it declares
	FieldPath                 // its file's path without extension, and the declarations around it
	NumFields
)

// String returns the field's name in the index and in explanations.
func (f Field) String() string { return fieldNames[f] }

var fieldNames = [NumFields]string{"body", "symbols", "path"}

// Weights is the weight of each field's BM25 score in a hit's score.
type Weights [NumFields]float64

// DefaultWeights are the fields' weights in BM25F. The weight of names was chosen on issues and commit messages
// (docs/ranking.md).
var DefaultWeights = Weights{FieldBody: 1, FieldSymbols: 3, FieldPath: 1}

// Term is a word of a query with its weight.
type Term struct {
	Word
	Weight float64
}

// Terms returns the words of a text, all of one weight.
func Terms(s string) []Term {
	var out []Term
	for _, w := range Analyse(s) {
		out = append(out, Term{Word: w, Weight: 1})
	}
	return out
}

// Query is one search for words. The zero value of every field but Terms and K leaves its feature out.
type Query struct {
	Terms    []Term
	K        int     // hits wanted
	Weights  Weights // zero: DefaultWeights
	Language string  // only files of this language
	// Filter admits paths beyond Language; it is called for candidates only.
	Filter func(path string) bool
	// Fuzzy lets words of four letters and more that the index does not have match others at one edit's distance, or two
	// if there are none and the word has eight letters.
	Fuzzy bool
	// Known, if not nil, reports tokens that Fuzzy does not widen although the index has none of them: they are spelt
	// right.
	Known func(token string) bool
	// Corrected, if not nil, receives each such word, as a token, with a token that replaced it. It is called on Search's
	// goroutine, before Search returns.
	Corrected func(word, instead string)
}

// Hit is a unit that matched. Its text is not read; the store's Chunks does that for those that are shown.
type Hit struct {
	Unit
	Path        string
	ContentHash string // full hash, filled in by the store; Index.Search leaves the key's first 16 digits
	Language    string
	Score       float64 // BM25F
	Matched     Set     // the query's terms that the unit contains
	InName      Set     // the query's terms that its names or its path contain
}

// Set is a set of a query's terms, by index.
type Set []uint64

// Has reports whether term i is in the set.
func (s Set) Has(i int) bool { return i/64 < len(s) && s[i/64]>>(i%64)&1 == 1 }

// Any reports whether the set has a term.
func (s Set) Any() bool {
	for _, w := range s {
		if w != 0 {
			return true
		}
	}
	return false
}

// Row is one chunk as it is written.
type Row = api.Chunk
