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

// Words splits text into runs of letters and digits, lower-cased and without diacritics. In Han and Kana, which have
// no spaces, each pair of adjacent characters is a word.
func Words(text string) []Word {
	return slices.AppendSeq(make([]Word, 0, len(text)/6), EachWord(text))
}

// EachWord yields the words that Words returns.
func EachWord(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		for i := 0; i < len(text); {
			start := i
			for i < len(text) && asciiWord(text[i]) {
				i++
			}
			if i == len(text) || text[i] < utf8.RuneSelf {
				if i > start && !yield(Word{strings.ToLower(text[start:i]), start, i}) {
					return
				}
				i++
				continue
			}
			for i < len(text) {
				r, size := utf8.DecodeRuneInString(text[i:])
				if !inWord(r) {
					if i == start {
						start, i = i+size, i+size
					}
					break
				}
				i += size
			}
			if !split(text, start, i, yield) {
				return
			}
		}
	}
}

func asciiWord(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || invisible(r)
}

const zeroSpace = '\u200b'

// spaceless reports whether a letter belongs to a script without spaces between words.
func spaceless(r rune) bool {
	return unicode.In(r, unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Myanmar)
}

func invisible(r rune) bool {
	return r == '\u00ad' || r >= '\u200b' && r <= '\u200d' || r == '\u2060' || r == '\ufeff'
}

// Visible removes invisible characters from text. It keeps zero-width joiners, and zero-width spaces between the words
// of scripts without spaces.
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

// split yields the words of text[start:end], which contains no spaces or punctuation.
func split(text string, start, end int, yield func(Word) bool) bool {
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
			if w := Fold(text[from:i]); w != "" && !yield(Word{w, from, i}) {
				return false
			}
			continue
		}
		i += n
		to := i
		if next, m := utf8.DecodeRuneInString(text[i:end]); i < end && dense(next) {
			to += m
		} else if last, _ := utf8.DecodeLastRuneInString(text[start:from]); dense(last) {
			continue
		}
		if !yield(Word{text[from:to], from, to}) {
			return false
		}
	}
	return true
}

func dense(r rune) bool {
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Stem returns the stem of a lower-case English word (Porter, "Snowball", 2001): "queries" → "queri". It rarely changes
// words of other languages.
func Stem(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
		return word
	}
	return english.Stem(word, false)
}

// Fold returns a word lower-cased, in NFKD, and without diacritics and invisible characters.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) || invisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

// stop lists English words that Terms omits.
var stop = strings.Fields("a an and are as at be by can do does for from has have how i in is it its of on or that " +
	"the this to was what when where which who why will with you your")

// Terms returns the distinct words of query. It omits stop words if the query has other words.
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
