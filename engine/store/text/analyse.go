package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxToken = 48  // maximum length of a token in bytes
	maxRun   = 192 // maximum length of an identifier that is split; longer ones are hashes or minified code
)

// Tokenizer splits text into lower-case tokens without plural endings. "parseFile" becomes "parsefile", "parse" and
// "file". CJK text becomes pairs of characters. The zero value is ready for use. A Tokenizer is not safe for concurrent
// use.
type Tokenizer struct {
	buf   []byte // lower-cased token under construction
	whole []byte
	cuts  []int // end offsets of the parts of the current identifier
	arena arena
}

// Tokens calls emit for every token of s. An identifier with several parts is emitted as a whole, with whole set, and
// then in parts. tok is valid only during the call.
func (a *Tokenizer) Tokens(s string, emit func(tok []byte, whole bool)) {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if !wordBytes[c] {
				i++
				continue
			}
			if n := smallLetters(s[i:]); n > 0 {
				if n <= maxToken {
					a.buf = append(a.buf[:0], s[i:i+n]...)
					emit(singular(a.buf), false)
				}
				i += n
				continue
			}
		} else {
			r, n := utf8.DecodeRuneInString(s[i:])
			if isCJK(r) {
				i += a.bigrams(s[i:], emit)
				continue
			}
			if !isWordRune(r) {
				i += n
				continue
			}
		}
		n := runLength(s[i:])
		a.identifier(s[i:i+n], emit)
		i += n
	}
}

// smallLetters returns the length of a lower-case ASCII word at the start of s, or 0.
func smallLetters(s string) int {
	n := 0
	for n < len(s) && 'a' <= s[n] && s[n] <= 'z' {
		n++
	}
	if n < len(s) && (wordBytes[s[n]] || s[n] >= utf8.RuneSelf) {
		return 0
	}
	return n
}

func runLength(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if !wordBytes[c] {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isWordRune(r) || isCJK(r) {
			return i
		}
		i += n
	}
	return len(s)
}

// wordBytes is a table of the ASCII bytes in identifiers. A table is faster than comparisons.
var wordBytes = func() (t [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" {
		t[c] = true
	}
	return t
}()

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

func isCJK(r rune) bool {
	return r >= 0x2E80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// bigrams emits each pair of adjacent CJK characters at the start of s, or a single one, and returns their length.
func (a *Tokenizer) bigrams(s string, emit func([]byte, bool)) int {
	prev, count, i := 0, 0, 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isCJK(r) {
			break
		}
		if count > 0 {
			a.buf = append(a.buf[:0], s[prev:i+n]...)
			emit(a.buf, false)
		}
		prev, count = i, count+1
		i += n
	}
	if count == 1 {
		a.buf = append(a.buf[:0], s[:i]...)
		emit(a.buf, false)
	}
	return i
}

func (a *Tokenizer) identifier(s string, emit func([]byte, bool)) {
	if len(s) > maxRun {
		return
	}
	s = strings.Trim(s, "_")
	a.split(s)
	if len(a.cuts) > 1 {
		a.whole = appendLower(a.whole[:0], s)
		if len(a.whole) <= maxToken {
			emit(a.whole, true)
		}
	}
	start := 0
	for _, end := range a.cuts {
		a.buf = appendLower(a.buf[:0], s[start:end])
		start = end
		if len(a.buf) > 0 && len(a.buf) <= maxToken {
			emit(singular(a.buf), false)
		}
	}
}

type class uint8

const (
	other class = iota // underscore, combining marks
	lower
	upper
	digit
)

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return digit
	case r < utf8.RuneSelf:
		return other
	case unicode.IsUpper(r):
		return upper
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r):
		return lower
	}
	return other
}

// split sets a.cuts for an identifier. It cuts before an inner capital (aB → a|B, ABc → A|Bc), at underscores, and
// between letters and digits (sha256 → sha|256), except in short names such as utf8.
func (a *Tokenizer) split(s string) {
	a.cuts = a.cuts[:0]
	var last, beforeLast class
	lastAt, runStart := 0, 0
	part := 0
	cut := func(at int) {
		if at > part {
			a.cuts = append(a.cuts, at)
			part = at
		}
	}
	for i, r := range s {
		c := classOf(r)
		if i > 0 && c != last {
			switch {
			case last == other || c == other, last == lower && c == upper:
				cut(i)
			case last == upper && c == lower:
				if beforeLast == upper {
					cut(lastAt)
				}
			case c == digit: // digits after letters
				if i-part >= 2 && i+1 < len(s) && isDigit(s[i]) && isDigit(s[i+1]) {
					cut(i)
				}
			case last == digit: // letters after digits
				if c == upper || (i-runStart >= 2 && i-part == i-runStart) {
					cut(i)
				}
			}
			runStart = i
		}
		beforeLast, last, lastAt = last, c, i
	}
	cut(len(s))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func appendLower(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '_':
			i++
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c+('a'-'A'))
			i++
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
			i += n
		}
	}
	return dst
}

// singular is the s-stemmer for English plurals (Harman, How effective is suffixing?, 1991).
func singular(b []byte) []byte {
	n := len(b)
	if n < 4 || b[n-1] != 's' {
		return b
	}
	switch b[n-2] {
	case 's', 'u', '\'':
		return b
	case 'e':
		if n > 4 && b[n-3] == 'i' && b[n-4] != 'e' && b[n-4] != 'a' {
			return append(b[:n-3], 'y')
		}
		if n > 4 && (b[n-3] == 'x' || b[n-3] == 's' || (b[n-3] == 'h' && (b[n-4] == 'c' || b[n-4] == 's'))) {
			return b[:n-2]
		}
	}
	return b[:n-1]
}

// stop contains English words that carry little meaning in text.
var stop = setOf(`a an and are as at be been but by can could did do does doe for from had has have
		he her his how i if in into is it its me my no not of on or our s she should so some such than that the their them
		then there these they thi this those to too us was wa we were what when where which who whose why will with would
		you your`)

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

const longestStop = 6 // length of the longest stop word in bytes

func isStop(tok []byte) bool {
	if len(tok) == 1 {
		return tok[0] < utf8.RuneSelf && !isDigit(tok[0])
	}
	return len(tok) <= longestStop && stop[string(tok)]
}

// Word is a word of a query.
type Word struct {
	Text  string
	Whole string   // token of the whole identifier, or "" if it is too long
	Parts []string // tokens of its parts
}

// IsCommon reports whether all words of query are stop words.
func IsCommon(query string) bool {
	words := Analyse(query)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w Word) bool {
		return slices.ContainsFunc(w.Parts, func(tok string) bool { return !isStop([]byte(tok)) })
	})
}

// Analyse splits a query into words as the index does. It drops stop words unless the query has no other words.
func Analyse(query string) []Word {
	var a Tokenizer
	var all, content []Word
	for s := range strings.FieldsFuncSeq(query, func(r rune) bool { return !isWordRune(r) }) {
		w, isTelling := Word{Text: s}, false
		a.Tokens(s, func(tok []byte, whole bool) {
			if whole {
				w.Whole = string(tok)
				return
			}
			isTelling = isTelling || !isStop(tok)
			w.Parts = append(w.Parts, string(tok))
		})
		switch {
		case len(w.Parts) == 0:
			continue
		case len(w.Parts) == 1:
			w.Whole = w.Parts[0]
		}
		all = append(all, w)
		if isTelling {
			content = append(content, w)
		}
	}
	if len(content) == 0 {
		return all
	}
	return content
}
