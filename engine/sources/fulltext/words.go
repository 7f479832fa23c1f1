package fulltext

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

type Word struct {
	Text       string
	Start, End int
}

// Words splits a text into runs of letters and digits, lower-cased and without diacritics. In Han and Kana, which have
// no spaces, each pair of adjacent characters is a word.
func Words(text string) []Word {
	out := make([]Word, 0, len(text)/6)
	scan(text, nil, func(_ int, w Word) bool {
		out = append(out, w)
		return true
	})
	return out
}

// Set is a set of words in the form that Words returns. It quickly excludes most of a text's words that are not in the
// set.
type Set struct {
	words   map[string]bool
	lengths [256]uint64 // by first byte: a bit for each length; bit 63 means a length of 63 or more
}

func NewSet(words iter.Seq[string]) *Set {
	s := &Set{words: map[string]bool{}}
	for w := range words {
		if w != "" {
			s.words[w] = true
			s.lengths[w[0]] |= 1 << min(len(w), 63)
		}
	}
	return s
}

// may reports whether the set may contain a word with the given length and lower-cased first byte.
func (s *Set) may(first byte, length int) bool { return s.lengths[first]>>min(length, 63)&1 == 1 }

func (s *Set) In(text string) iter.Seq2[int, Word] {
	return func(yield func(int, Word) bool) { scan(text, s, yield) }
}

const (
	apart = iota // a character that ends a word
	small        // a lower-case letter or a digit
	capital
	wide // part of a character beyond ASCII
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = wide
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			t[c] = small
		case c >= 'A' && c <= 'Z':
			t[c] = capital
		}
	}
	return t
}()

// scan yields the words of a text with their positions. If the set only is not nil, scan omits words outside that set.
// It returns the number of scanned words.
func scan(text string, only *Set, yield func(n int, w Word) bool) (n int) {
	for i := 0; i < len(text); {
		start, kinds := i, uint8(0)
		for i < len(text) && (class[text[i]] == small || class[text[i]] == capital) {
			kinds |= class[text[i]]
			i++
		}
		if i < len(text) && class[text[i]] == wide {
			end := i
			for end < len(text) {
				r, size := utf8.DecodeRuneInString(text[end:])
				if !inWord(r) {
					if end == start {
						i += size
					}
					break
				}
				end += size
			}
			if end > i {
				i = end
				for _, w := range foreign(nil, text, start, i) {
					if (only == nil || only.words[w.Text]) && !yield(n, w) {
						return n
					}
					n++
				}
				continue
			}
			if i > start && end == start {
				continue
			}
		} else if i == start {
			i++
			continue
		}
		first := text[start]
		if class[first] == capital {
			first += 'a' - 'A'
		}
		if only == nil || only.may(first, i-start) {
			w := text[start:i]
			if kinds&capital != 0 {
				w = strings.ToLower(w)
			}
			if (only == nil || only.words[w]) && !yield(n, Word{w, start, i}) {
				return n
			}
		}
		n++
	}
	return n
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || invisible(r)
}

const zeroSpace = '\u200b'

// spaceless reports whether a letter belongs to a script in which words are separated by zeroSpace or not at all.
func spaceless(r rune) bool {
	return unicode.In(r, unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Myanmar)
}

func invisible(r rune) bool {
	return r == '\u00ad' || r >= '\u200b' && r <= '\u200d' || r == '\u2060' || r == '\ufeff'
}

// Visible removes invisible characters from a text for another tokenizer. It keeps joiners, and zero-width spaces in
// scripts that separate words with them.
func Visible(text string) string {
	last := rune(0)
	return strings.Map(func(r rune) rune {
		before := last
		if last = r; invisible(r) && (r < zeroSpace || r > '\u200d' || r == zeroSpace && !spaceless(before)) {
			return -1
		}
		return r
	}, text)
}

func foreign(out []Word, text string, start, end int) []Word {
	for i := start; i < end; {
		r, n := utf8.DecodeRuneInString(text[i:end])
		from := i
		if !dense(r) {
			for i < end {
				last := r
				if r, n = utf8.DecodeRuneInString(text[i:end]); dense(r) || r == zeroSpace && spaceless(last) && i > from {
					break
				}
				i += n
			}
			if w := Fold(text[from:i]); w != "" {
				out = append(out, Word{w, from, i})
			}
			continue
		}
		i += n
		next, m := utf8.DecodeRuneInString(text[i:end])
		switch {
		case i < end && dense(next):
			out = append(out, Word{text[from : i+m], from, i + m})
		case from == start || !dense(before(text[start:from])):
			out = append(out, Word{text[from:i], from, i})
		}
	}
	return out
}

func before(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func dense(r rune) bool {
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Stem returns the stem of an English word in the form that Words returns (Porter, "Snowball", 2001), such as queri for
// queries. It rarely changes words of other languages.
func Stem(word string) string {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return english.Stem(word, false)
}

func Fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if !unicode.IsMark(r) && !invisible(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// stop lists English words that Terms omits.
var stop = strings.Fields("a an and are as at be by can do does for from has have how i in is it its of on or that " +
	"the this to was what when where which who why will with you your")

// Terms returns the distinct words of query. It omits stop words unless the query has only stop words.
func Terms(query string) []string {
	var all, content []string
	for _, w := range Words(query) {
		if len(all) == maxTerms || slices.Contains(all, w.Text) {
			continue
		}
		all = append(all, w.Text)
		if !slices.Contains(stop, w.Text) {
			content = append(content, w.Text)
		}
	}
	if len(content) > 0 {
		return content
	}
	return all
}

// maxTerms limits the terms of a query. A question usually has about a dozen terms.
const maxTerms = 32
