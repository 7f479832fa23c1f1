package text

import (
	index "github.com/blevesearch/bleve_index_api"

	"searchmcp/engine/api"
)

// document is an analysed chunk, unit or marker in the form that scorch indexes.
type document struct {
	id     string
	fields []index.Field
	bytes  uint64
}

// Fields without words: fieldRef finds a chunk by its ID, fieldChunk stores it, fieldUnit stores a unit, and fieldUnits
// counts units by a common term.
const (
	fieldRef   = "u"
	fieldChunk = "c"
	fieldUnit  = "d"
	fieldUnits = "n"
)

var unitTerm = []byte("1")

func newChunk(c api.Chunk) *document {
	return &document{id: KeyOf(c).String(), bytes: uint64(len(c.Text)), fields: []index.Field{
		&field{name: fieldRef, options: index.IndexField | index.SkipFreqNorm, length: 1, tokens: oneToken(refTerm(c.ID))},
		&field{name: fieldChunk, options: index.StoreField, value: encodeStored(c)},
	}}
}

func newUnits(a *Tokenizer, chunks []api.Chunk) []*document {
	var out []*document
	for _, u := range unitsOf(chunks) {
		k := KeyOf(chunks[0])
		k.Start, k.End, k.ID, k.derived, k.unit = u.Start, u.End, "", 0, len(out)+1
		d := &document{id: k.String()}
		for _, line := range u.lines {
			d.bytes += uint64(len(line))
		}
		d.analysed(a, FieldBody, true, u.lines...)
		d.analysed(a, FieldSymbols, false, u.Names...)
		d.analysed(a, FieldPath, false, placeText(k.Path, u.Unit)...)
		d.fields = append(d.fields,
			&field{name: fieldUnits, options: index.IndexField | index.SkipFreqNorm, length: 1, tokens: oneToken(unitTerm)},
			&field{name: fieldUnit, options: index.StoreField, value: encodeUnit(u.Unit, chunks)})
		out = append(out, d)
	}
	return out
}

// newMarker returns the row of a file without chunks, because every fingerprint needs a row.
func newMarker(path, hash string) *document {
	return &document{id: Key{Path: path, Hash: ShortHash(hash)}.String()}
}

// refBytes is the number of indexed bytes of an ID. Each takes a node in the dictionary.
const refBytes = 5

func refTerm(id string) []byte {
	term := longRefTerm(id)
	return term[:min(len(term), refBytes)]
}

// longRefTerm returns the term that finds a chunk by its id in segments of older versions.
func longRefTerm(id string) []byte {
	if raw, ok := uuidBytes(id); ok {
		return raw[:]
	}
	return []byte(id)
}

func (d *document) analysed(a *Tokenizer, f Field, dropStop bool, values ...string) {
	bytes := 0
	for _, v := range values {
		bytes += len(v)
	}
	tokens := make(index.TokenFrequencies, bytes/bytesPerToken)
	n := 0
	for _, v := range values {
		a.Tokens(v, func(tok []byte, _ bool) {
			if dropStop && isStop(tok) {
				return
			}
			n++
			if t, ok := tokens[string(tok)]; ok {
				t.SetFrequency(t.Frequency() + 1)
				return
			}
			tokens[string(tok)] = a.arena.token(tok)
		})
	}
	if n == 0 {
		return
	}
	options := index.IndexField
	if f != FieldBody {
		// A name rarely contains a word twice, and frequencies and lengths take six bytes per word.
		options |= index.SkipFreqNorm
	}
	d.fields = append(d.fields, &field{name: f.String(), options: options, length: n, tokens: tokens})
}

const bytesPerToken = 16 // bytes of source code per different token

// arena allocates tokens in slabs, which halves the number of allocations.
type arena struct {
	freqs []index.TokenFreq
	bytes []byte
}

const (
	slabFreqs = 256
	slabBytes = 4096
)

func (a *arena) token(term []byte) *index.TokenFreq {
	if len(a.freqs) == 0 {
		a.freqs = make([]index.TokenFreq, slabFreqs)
	}
	if cap(a.bytes)-len(a.bytes) < len(term) {
		a.bytes = make([]byte, 0, slabBytes+len(term))
	}
	t, start := &a.freqs[0], len(a.bytes)
	a.freqs, a.bytes = a.freqs[1:], append(a.bytes, term...)
	t.Term = a.bytes[start:len(a.bytes):len(a.bytes)]
	t.SetFrequency(1)
	return t
}

func oneToken(term []byte) index.TokenFrequencies {
	t := &index.TokenFreq{Term: term}
	t.SetFrequency(1)
	return index.TokenFrequencies{string(term): t}
}

func (d *document) ID() string                                   { return d.id }
func (d *document) VisitComposite(_ index.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                           { return false }
func (d *document) NumPlainTextBytes() uint64                    { return d.bytes }
func (d *document) StoredFieldsBytes() uint64                    { return 0 }
func (d *document) Indexed() bool                                { return true }

func (d *document) Size() int { return len(d.id) + int(d.bytes) }

func (d *document) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

func (d *document) AddIDField() {
	d.fields = append(d.fields, &field{
		name: "_id", options: index.IndexField | index.StoreField, value: []byte(d.id), length: 1,
		tokens: oneToken([]byte(d.id)),
	})
}

type field struct {
	name    string
	options index.FieldIndexingOptions
	value   []byte
	length  int
	tokens  index.TokenFrequencies
}

func (f *field) Name() string                                     { return f.name }
func (f *field) Value() []byte                                    { return f.value }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) Analyze()                                         {}
func (f *field) Options() index.FieldIndexingOptions              { return f.options }
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.tokens }
func (f *field) NumPlainTextBytes() uint64                        { return uint64(len(f.value)) }
