// Package static computes the vector of a text without the embedding model. A table contains a vector for each token of
// the model's vocabulary. The vector of a text is the sum of its tokens' vectors. Such vectors can't be compared with
// the model's vectors. app/bench/distil created the table from the model.
//
// The package must not import packages for projects, stores or search. It starts no goroutines. No other lock is
// acquired while Table.mu is held.
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

// RowSize is the size of a token's row in bytes: a scale, and one byte per dimension.
const RowSize = 4 + api.VectorDim

// Table contains the vectors of all tokens. It is safe for concurrent use.
type Table struct {
	rows string // RowSize bytes per token
	hash string

	mu    sync.Mutex
	vocab *wordpiece.Vocabulary
	free  []*encoder // unused encoders
}

type encoder struct {
	tokens *wordpiece.Encoder
	words  []byte
	ids    []int32
	counts []float32 // occurrences of each token in the current text
}

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

func (t *Table) Hash() string { return t.hash }

func (t *Table) Chunk(c api.Chunk) api.Vector { return t.Vector(embed.Input(c), 0) }

func (t *Table) Question(text string) api.Vector { return t.Vector(text, embed.MaxTokens) }

// Vector returns the vector of the first limit tokens of text. A limit of 0 means all tokens.
func (t *Table) Vector(text string, limit int) (v api.Vector) {
	e := t.borrow()
	if e == nil {
		return v
	}
	e.words = embed.AppendSplit(e.words[:0], embed.Clip(text))
	words := unsafe.String(unsafe.SliceData(e.words), len(e.words))
	e.ids = e.tokens.Encode(e.ids[:0], words, limit)
	different := e.ids[:0]
	for _, id := range e.ids[1 : len(e.ids)-1] { // without the first and last token, [CLS] and [SEP]
		if e.counts[id]++; e.counts[id] == 1 {
			different = append(different, id)
		}
	}
	for _, id := range different {
		t.add(&v, int(id), e.counts[id])
		e.counts[id] = 0
	}
	t.mu.Lock()
	t.free = append(t.free, e)
	t.mu.Unlock()
	embed.Normalise(&v)
	return v
}

// add adds the row of a token count times.
func (t *Table) add(v *api.Vector, id int, count float32) {
	row := t.rows[id*RowSize : (id+1)*RowSize]
	scale := count * math.Float32frombits(binary.LittleEndian.Uint32([]byte(row[:4])))
	row = row[4:]
	if addFast(v, row, scale) {
		return
	}
	for i := range v {
		v[i] += scale * float32(int8(row[i]))
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
			return nil // TestBundled tests that the embedded files are valid
		}
		t.vocab = v
	}
	return &encoder{tokens: wordpiece.NewEncoder(t.vocab), counts: make([]float32, t.vocab.Size())}
}

// Release frees the vocabulary and unused encoders, about 8 MB. The vocabulary is loaded again in 30 ms.
func (t *Table) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.vocab, t.free = nil, nil
}
