package text

import "slices"

// Field is a part of a unit with a weight of its own, such as the declared names.
type Field uint8

const (
	FieldBody    Field = iota // source lines, including comments
	FieldSymbols              // declared names
	FieldPath                 // file path without extension, and enclosing declarations
	NumFields
)

func (f Field) String() string { return fieldNames[f] }

var fieldNames = [NumFields]string{"body", "symbols", "path"}

// fieldWeights were tuned on issues and commit messages (docs/ranking.md).
var fieldWeights = [NumFields]float64{FieldBody: 1, FieldSymbols: 3, FieldPath: 1}

// Term is a word of a query with its weight.
type Term struct {
	Word
	Weight float64
}

// Terms returns the words of s with equal weights.
func Terms(s string) []Term {
	var out []Term
	for _, w := range Analyse(s) {
		out = append(out, Term{Word: w, Weight: 1})
	}
	return out
}

// Query is a lexical search. All fields except Terms and K are optional.
type Query struct {
	Terms    []Term
	K        int
	Language string
	// Filter restricts the paths. It is called for candidates only.
	Filter func(path string) bool
	// Fuzzy replaces unknown words of at least four letters by words that differ by one edit. From eight letters, the
	// words may differ by two edits.
	Fuzzy bool
	// Known reports whether a token that the index does not contain is spelt correctly. Fuzzy does not replace such
	// tokens. Known may be nil.
	Known func(token string) bool
	// Corrected is called with each replaced token and its replacement.
	Corrected func(word, instead string)
}

// Hit is a matching unit without its text.
type Hit struct {
	Unit
	Path        string
	ContentHash string // full hash, or the first 16 digits in results of Index.Search
	Language    string
	Score       float64
	Matched     Set
}

// Set is a bit set of query terms.
type Set []uint64

func (s Set) Has(i int) bool { return i/64 < len(s) && s[i/64]>>(i%64)&1 == 1 }

func (s Set) Any() bool { return slices.ContainsFunc(s, func(w uint64) bool { return w != 0 }) }
