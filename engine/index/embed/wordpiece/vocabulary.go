// Package wordpiece converts text to token ids of BERT's uncased vocabulary, like the reference implementation (Wu et
// al. 2016, section 4.1; Devlin et al. 2019). It strips accents, converts the text to lower case, and splits it at
// spaces, punctuation and Chinese characters. Each word is then split into the longest parts that the vocabulary
// contains.
//
// The package has no goroutines and no locks. A Vocabulary is safe for concurrent use, an Encoder is not.
package wordpiece

import (
	"encoding/binary"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"
)

type Vocabulary struct {
	first, next       map[string]int32 // parts that begin a word; parts that continue a word, without "##"
	maxFirst, maxNext int              // maximum lengths of the keys of first and next, in bytes
	kinds             []kind           // by token id
	specials          []special
	unknown, cls, sep int32
	size              int
}

type kind uint8

const (
	beginsWord kind = iota
	continuesWord
	isCharacter
)

// special is a token such as "[CLS]", which is not split.
type special struct {
	text string
	id   int32
}

var specialTokens = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// NewVocabulary parses a vocabulary with one token per line. The id of a token is the number of its line, from 0.
// BERT's five special tokens are required.
func NewVocabulary(text string) (*Vocabulary, error) {
	v := &Vocabulary{first: make(map[string]int32, 1<<15), next: make(map[string]int32, 1<<13)}
	for line := range strings.Lines(text) {
		token, id := strings.TrimRight(line, "\r\n"), int32(v.size)
		v.size++
		if piece, ok := strings.CutPrefix(token, "##"); ok && piece != "" {
			v.next[piece] = id
			v.maxNext = max(v.maxNext, len(piece))
			v.kinds = append(v.kinds, continuesWord)
		} else if utf8.RuneCountInString(token) == 1 {
			v.kinds = append(v.kinds, isCharacter)
		} else {
			v.kinds = append(v.kinds, beginsWord)
		}
		v.first[token] = id
		v.maxFirst = max(v.maxFirst, len(token))
	}
	for _, s := range specialTokens {
		id, ok := v.first[s]
		if !ok {
			return nil, fmt.Errorf("vocabulary of %d tokens has no %s", v.size, s)
		}
		v.specials = append(v.specials, special{s, id})
	}
	v.unknown, v.cls, v.sep = v.first["[UNK]"], v.first["[CLS]"], v.first["[SEP]"]
	return v, nil
}

func (v *Vocabulary) Size() int { return v.size }

// NewWords appends to dst the words in ids that are not in known, each word once. Words of a single character are
// omitted. The length of dst is at most limit.
func (v *Vocabulary) NewWords(dst, known, ids []int32, limit int) []int32 {
	seen := map[string]bool{}
	for word := range v.words(known) {
		seen[key(word)] = true
	}
	for word := range v.words(ids) {
		if len(dst)+len(word) > limit {
			break
		}
		if k := key(word); !seen[k] && (len(word) > 1 || v.kinds[word[0]] != isCharacter) {
			seen[k] = true
			dst = append(dst, word...)
		}
	}
	return dst
}

func (v *Vocabulary) words(ids []int32) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for from := 0; from < len(ids); {
			to := from + 1
			for to < len(ids) && v.kinds[ids[to]] == continuesWord {
				to++
			}
			if !yield(ids[from:to]) {
				return
			}
			from = to
		}
	}
}

func key(word []int32) string {
	b := make([]byte, 0, 4*len(word))
	for _, id := range word {
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
	}
	return string(b)
}
