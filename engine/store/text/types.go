package text

import "searchmcp/engine/api"

// Field is a part of a chunk that is indexed and weighed on its own.
type Field uint8

// The fields of a chunk.
const (
	FieldBody    Field = iota // the text itself
	FieldSymbols              // names that the chunk defines
	FieldStem                 // the file's name without extension, split and whole
	NumFields
)

// String returns the field's name in the index and in explanations.
func (f Field) String() string { return fieldNames[f] }

var fieldNames = [NumFields]string{"body", "symbols", "stem"}

// Weights is the weight of each field's BM25 score in a hit's score.
type Weights [NumFields]float64

// DefaultWeights is used when a query gives none: a defined name tells most, then the file's name.
var DefaultWeights = Weights{FieldBody: 1, FieldSymbols: 2.2, FieldStem: 1.4}

// Query is one search for words. The zero value of every field but Text and K leaves its feature out.
type Query struct {
	Text     string
	K        int     // hits wanted
	Weights  Weights // zero: DefaultWeights
	Language string  // only files of this language
	// Filter admits paths beyond Language; it is called for candidates only.
	Filter func(path string) bool
	// Fuzzy lets words of four letters and more that the index does not hold match others at one edit's distance, or two
	// if there are none and the word has eight letters.
	Fuzzy bool
	// Known, if not nil, tells tokens that Fuzzy leaves alone although the index has none of them: they are spelt right.
	Known func(token string) bool
	// Corrected, if not nil, is told each such word, as a token, with a token that was looked for instead. It is called
	// on Search's goroutine, before Search returns.
	Corrected func(word, instead string)
}

// Hit is a chunk that matched. Its text is not read; the store's Chunks does that for those that are shown.
type Hit struct {
	ID                 string
	Path               string
	ContentHash        string // full hash, filled in by the store; Index.Search leaves the key's first 16 digits
	Language           string
	StartLine, EndLine int
	Score              float64            // weighted sum of Fields
	Fields             [NumFields]float64 // BM25 score within each field, before weights
	// Matched has bit i set when word i of Query.Text (as Analyse gives them) occurs in the chunk, for i < 64.
	Matched uint64
}

// Row is one chunk as it is written.
type Row = api.Chunk
