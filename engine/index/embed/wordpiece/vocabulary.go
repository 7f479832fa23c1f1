// Package wordpiece converts text to the token ids of BERT's uncased vocabulary, like the reference tokenizer.
// It cleans the text, separates Chinese characters, strips accents, converts to lower case, splits at spaces and
// punctuation, and then takes the longest matching piece first (Wu et al. 2016, section 4.1; Devlin et al. 2019).
//
// It has no goroutines and no locks. A Vocabulary never changes and may be shared. An Encoder is used by one goroutine
// at a time.
package wordpiece

import (
	"encoding/binary"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"
)

type Vocabulary struct {
	first, next       map[string]int32 // pieces that begin a word, and those that continue it, without "##"
	maxFirst, maxNext int              // bytes of the longest piece in first and next
	kinds             []kind           // indexed by id
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

// Special tokens are found first, in the raw text.
type special struct {
	text string
	id   int32
}

var specialTokens = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// NewVocabulary parses a vocabulary with one token per line. A token's id is its line index. BERT's five special tokens
// are required.
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

// Novel appends to dst the token ids of the words that occur in later but not in earlier, each word once. It omits
// words of a single character, and stops at the first word that would make dst longer than limit.
func (v *Vocabulary) Novel(dst, earlier, later []int32, limit int) []int32 {
	seen := map[string]bool{}
	for word := range v.words(earlier) {
		seen[key(word)] = true
	}
	for word := range v.words(later) {
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
