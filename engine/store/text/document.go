package text

import (
	"encoding/hex"
	"strings"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"

	"searchmcp/engine/api"
)

// Fields that contain no words.
const (
	fieldRef   = "u" // first bytes of a chunk's ID
	fieldChunk = "c" // an encoded chunk
	fieldUnit  = "d" // an encoded Unit
	fieldUnits = "n" // the same term in each unit, to count units
)

const (
	unitTerm = "1"
	// listed are the options of a field without word frequencies.
	listed = index.IndexField | index.SkipFreqNorm
)

// unitTokens are the tokens of fieldUnits. bleve only reads them.
var unitTokens = index.TokenFrequencies{unitTerm: {Term: []byte(unitTerm)}}

func add(d *document.Document, name string, options index.FieldIndexingOptions, value []byte) {
	d.AddField(document.NewTextFieldCustom(name, nil, value, options, nil))
}

func newChunk(c api.Chunk) *document.Document {
	d := document.NewDocument(KeyOf(c).String())
	add(d, fieldRef, listed, refTerm(c.ID))
	add(d, fieldChunk, index.StoreField, encodeChunk(c))
	return d
}

// newUnit returns the row of the n-th unit of a file with the key k.
func (a *Tokenizer) newUnit(k Key, n int, u *unitText) *document.Document {
	k.kind, k.number = isUnit, n
	d := document.NewDocument(k.String())
	a.analyse(d, FieldBody, u.lines...)
	a.analyse(d, FieldSymbols, u.Names...)
	a.analyse(d, FieldPath, placeText(k.Path, u.Unit)...)
	d.AddField(&words{document.NewTextFieldCustom(fieldUnits, nil, nil, listed, nil), 1, unitTokens})
	u.Decl.Signature = "" // the chunk contains it
	add(d, fieldUnit, index.StoreField, encode(&u.Unit, unitBytes))
	return d
}

// newMarker returns the row of a file without chunks. Every indexed file has at least one row.
func newMarker(path, hash string) *document.Document {
	return document.NewDocument(Key{Path: path, Hash: ShortHash(hash)}.String())
}

// refTerm returns the first refBytes bytes of a chunk's ID.
func refTerm(id string) []byte {
	digits := strings.ReplaceAll(id, "-", "")
	term, _ := hex.DecodeString(digits[:min(len(digits), 2*refBytes)])
	return term
}

const refBytes = 5 // more bytes would enlarge the dictionary

// analyse adds field f with the words of several texts to d.
func (a *Tokenizer) analyse(d *document.Document, f Field, values ...string) {
	bytes := 0
	for _, v := range values {
		bytes += len(v)
	}
	tokens := a.arena.tokens(bytes / bytesPerToken)
	n := 0
	for _, v := range values {
		a.Tokens(v, func(tok []byte, _ bool) {
			if f == FieldBody && isStop(tok) {
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
	options := listed // names rarely repeat a word, and frequencies and lengths take six bytes per word
	if f == FieldBody {
		options = index.IndexField
	}
	d.AddField(&words{document.NewTextFieldCustom(f.String(), nil, nil, options, nil), n, tokens})
}

type words struct {
	*document.TextField
	length int
	tokens index.TokenFrequencies
}

func (w *words) Analyze()                                         {}
func (w *words) AnalyzedLength() int                              { return w.length }
func (w *words) AnalyzedTokenFrequencies() index.TokenFrequencies { return w.tokens }

const bytesPerToken = 16 // average number of source bytes per different token

// arena allocates maps and tokens. After reset, it uses them again, because an index has millions of tokens.
type arena struct {
	maps      []index.TokenFrequencies
	slabs     [][]index.TokenFreq // of slabFreqs tokens
	usedMaps  int
	usedFreqs int
}

const (
	slabFreqs = 256
	termBytes = 16 // terms with more bytes are allocated on their own
)

// reset frees all maps and tokens.
func (a *arena) reset() {
	for _, m := range a.maps[:a.usedMaps] {
		clear(m)
	}
	a.usedMaps, a.usedFreqs = 0, 0
}

func (a *arena) tokens(size int) index.TokenFrequencies {
	if a.usedMaps == len(a.maps) {
		a.maps = append(a.maps, make(index.TokenFrequencies, size))
	}
	a.usedMaps++
	return a.maps[a.usedMaps-1]
}

func (a *arena) token(term []byte) *index.TokenFreq {
	slab, i := a.usedFreqs/slabFreqs, a.usedFreqs%slabFreqs
	if slab == len(a.slabs) {
		freqs, terms := make([]index.TokenFreq, slabFreqs), make([]byte, slabFreqs*termBytes)
		for j := range freqs {
			freqs[j].Term = terms[j*termBytes : j*termBytes : (j+1)*termBytes]
		}
		a.slabs = append(a.slabs, freqs)
	}
	t := &a.slabs[slab][i]
	a.usedFreqs++
	t.Term = append(t.Term[:0], term...)
	t.SetFrequency(1)
	return t
}
