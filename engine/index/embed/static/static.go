// Package static makes vectors by looking tokens up: a row a token of the model's vocabulary, made from the model once
// (app/bench/distil), and a text's vector is the sum of its tokens' rows. That is some 500 times less work than the
// model, in pure Go, and gives two thirds of what the model adds to a search by words (docs/ranking.md). Its vectors
// lie in a space of their own: none is ever compared with one of the model's.
//
// It must not know projects, stores or how vectors are used. No goroutines. Table.mu is a leaf.
package static

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/wordpiece"
)

// RowSize is a token's row: its scale and a byte a dimension.
const RowSize = 4 + api.VectorDim

// Table makes vectors. Safe for concurrent use; the vocabulary is read with the first text.
type Table struct {
	rows string // RowSize bytes a token
	hash string

	mu    sync.Mutex
	vocab *wordpiece.Vocabulary
	free  []*encoder // as many as ever worked at once
}

type encoder struct {
	tokens *wordpiece.Encoder
	words  []byte
	ids    []int32
}

// Bundled returns the table that the program comes with.
func Bundled() (*Table, error) {
	m, err := model.Bundled()
	if err != nil {
		return nil, err
	}
	rows := model.Static()
	if len(rows) == 0 || len(rows)%RowSize != 0 || int64(len(rows)) != m.Static.Size {
		return nil, fmt.Errorf("table of static vectors has %d bytes, want %d", len(rows), m.Static.Size)
	}
	return &Table{rows: rows, hash: m.Static.SHA256[:16] + embed.InputVersion}, nil
}

// Hash names the space of the vectors and the form of their input.
func (t *Table) Hash() string { return t.hash }

// Chunk returns the vector of a chunk.
func (t *Table) Chunk(c api.Chunk) api.Vector { return t.Vector(embed.Input(c), embed.TextTokens) }

// Question returns the vector of a question.
func (t *Table) Question(text string) api.Vector { return t.Vector(text, embed.MaxTokens) }

// Vector returns the vector of a text's first tokens, of length 1; zero if it has none that says anything.
func (t *Table) Vector(text string, limit int) (v api.Vector) {
	e := t.borrow()
	if e == nil {
		return v
	}
	e.words = embed.AppendSplit(e.words[:0], embed.Clip(text))
	words := unsafe.String(unsafe.SliceData(e.words), len(e.words)) // no copy: the encoder keeps none of it
	e.ids = e.tokens.Encode(e.ids[:0], words, limit)
	for _, id := range e.ids[1 : len(e.ids)-1] { // without [CLS] and [SEP]
		t.add(&v, int(id))
	}
	t.mu.Lock()
	t.free = append(t.free, e)
	t.mu.Unlock()
	normalise(&v)
	return v
}

// add adds a token's row.
func (t *Table) add(v *api.Vector, id int) {
	row := t.rows[id*RowSize : (id+1)*RowSize]
	scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(row[:4])))
	row = row[4:]
	if addFast(v, row, scale) {
		return
	}
	for i := 0; i < len(v); i += 4 {
		r, w := row[i:i+4], v[i:i+4:i+4]
		w[0] += scale * float32(int8(r[0]))
		w[1] += scale * float32(int8(r[1]))
		w[2] += scale * float32(int8(r[2]))
		w[3] += scale * float32(int8(r[3]))
	}
}

func (t *Table) borrow() *encoder {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.free); n > 0 {
		e := t.free[n-1]
		t.free = t.free[:n-1]
		return e
	}
	if t.vocab == nil {
		v, err := wordpiece.NewVocabulary(model.Vocab())
		if err != nil || v.Size()*RowSize != len(t.rows) {
			return nil // TestBundled keeps it from being built
		}
		t.vocab = v
	}
	return &encoder{tokens: wordpiece.NewEncoder(t.vocab)}
}

// Release gives the vocabulary and what goes with it back: 8 MB, which 30 ms read again.
func (t *Table) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.vocab, t.free = nil, nil
}

func normalise(v *api.Vector) {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if square == 0 {
		return
	}
	f := float32(1 / math.Sqrt(square))
	for i := range v {
		v[i] *= f
	}
}
