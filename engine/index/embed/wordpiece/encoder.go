package wordpiece

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// maxWord is the maximum length of a word in characters, as in BERT. A longer word is an unknown token.
	maxWord   = 100
	memoWords = 1 << 14 // maximum number of words in Encoder.memo, which then takes 2 MB
	memoBytes = 64      // maximum length in bytes of a word in Encoder.memo
)

type Encoder struct {
	v     *Vocabulary
	memo  map[string][]int32
	word  []byte
	nfd   []byte
	ids   []int32
	limit int // maximum length of ids
}

func NewEncoder(v *Vocabulary) *Encoder { return &Encoder{v: v, memo: map[string][]int32{}} }

// Encode appends [CLS], the ids of text and [SEP] to dst, together at most limit ids. A limit of 0 means no limit.
// Invalid UTF-8 is ignored.
func (e *Encoder) Encode(dst []int32, text string, limit int) []int32 {
	e.limit = math.MaxInt
	if limit > 0 {
		e.limit = len(dst) + max(limit, 2) - 1
	}
	e.ids = append(dst, e.v.cls)
	for text != "" && !e.full() {
		before, s, after := e.cutSpecial(text)
		e.segment(before)
		if s != nil && !e.full() {
			e.ids = append(e.ids, s.id)
		}
		text = after
	}
	ids := e.ids
	if len(ids) > e.limit {
		ids = ids[:e.limit]
	}
	e.ids = nil
	return append(ids, e.v.sep)
}

func (e *Encoder) full() bool { return len(e.ids) >= e.limit }

func (e *Encoder) cutSpecial(text string) (before string, s *special, after string) {
	for i := 0; ; i++ {
		j := strings.IndexByte(text[i:], '[')
		if j < 0 {
			return text, nil, ""
		}
		i += j
		for k := range e.v.specials {
			if s := &e.v.specials[k]; strings.HasPrefix(text[i:], s.text) {
				return text[:i], s, text[i+len(s.text):]
			}
		}
	}
}

func (e *Encoder) segment(s string) {
	e.word = e.word[:0]
	for i := 0; i < len(s) && !e.full(); {
		if c := s[i]; c < utf8.RuneSelf {
			e.ascii(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		e.rune(r, s[i:i+n])
		i += n
	}
	if !e.full() {
		e.flush()
	}
}

// ascii adds an ASCII character, which needs no normalization.
func (e *Encoder) ascii(c byte) {
	switch asciiClass[c] {
	case classWord:
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		e.word = append(e.word, c)
	case classSpace:
		e.flush()
	case classPunct:
		e.flush()
		e.word = append(e.word, c)
		e.flush()
	}
}

func (e *Encoder) rune(r rune, raw string) {
	switch {
	case r == utf8.RuneError || isControl(r): // ignored, as in the reference implementation
	case unicode.IsSpace(r):
		e.flush()
	case isChinese(r):
		// Every Chinese character is a word.
		e.flush()
		e.nfd = norm.NFD.AppendString(e.nfd[:0], raw)
		e.word = append(e.word, e.nfd...)
		e.flush()
	default:
		e.nfd = norm.NFD.AppendString(e.nfd[:0], raw)
		for j := 0; j < len(e.nfd); {
			d, n := utf8.DecodeRune(e.nfd[j:])
			j += n
			e.decomposed(d)
		}
	}
}

func (e *Encoder) decomposed(d rune) {
	switch {
	case unicode.Is(unicode.Mn, d):
	case isPunct(d):
		e.flush()
		e.word = utf8.AppendRune(e.word, d)
		e.flush()
	default:
		e.word = utf8.AppendRune(e.word, unicode.ToLower(d))
	}
}

func (e *Encoder) flush() {
	if len(e.word) == 0 {
		return
	}
	defer func() { e.word = e.word[:0] }()
	if id, ok := e.v.first[string(e.word)]; ok { // most words are in the vocabulary
		e.ids = append(e.ids, id)
		return
	}
	if ids, ok := e.memo[string(e.word)]; ok {
		e.ids = append(e.ids, ids...)
		return
	}
	from := len(e.ids)
	e.ids = e.v.split(e.ids, e.word)
	if len(e.word) <= memoBytes {
		if len(e.memo) >= memoWords {
			clear(e.memo)
		}
		e.memo[string(e.word)] = append([]int32(nil), e.ids[from:]...)
	}
}

// split appends the ids of a word's parts. Each part is the longest in the vocabulary. A word without such parts is an
// unknown token.
func (v *Vocabulary) split(ids []int32, word []byte) []int32 {
	if len(word) > maxWord && utf8.RuneCount(word) > maxWord {
		return append(ids, v.unknown)
	}
	start := len(ids)
	pieces, longest := v.first, v.maxFirst
	for from := 0; from < len(word); {
		to := min(len(word), from+longest)
		for ; to > from; to-- {
			if to < len(word) && !utf8.RuneStart(word[to]) {
				continue
			}
			if id, ok := pieces[string(word[from:to])]; ok {
				ids = append(ids, id)
				break
			}
		}
		if to == from {
			return append(ids[:start], v.unknown)
		}
		from, pieces, longest = to, v.next, v.maxNext
	}
	return ids
}
