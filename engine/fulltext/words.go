package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// Word is one word of a text in the form in which it is compared, with its place in the text in bytes.
type Word struct {
	Text       string
	Start, End int
}

// Words cuts a text into runs of letters and digits, in small letters and without diacritics. Scripts without spaces
// (Han, Kana) give one word for each pair of neighbours.
func Words(text string) []Word {
	out := make([]Word, 0, len(text)/6)
	for i := 0; i < len(text); {
		start := i
		ascii := true
		for i < len(text) {
			r, n := rune(text[i]), 1
			if r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(text[i:])
				ascii = false
			}
			if !inWord(r) {
				break
			}
			i += n
		}
		if i == start {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		if ascii {
			out = append(out, Word{lowerASCII(text[start:i]), start, i})
		} else {
			out = foreign(out, text, start, i)
		}
	}
	return out
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// foreign cuts a run with letters beyond ASCII.
func foreign(out []Word, text string, start, end int) []Word {
	for i := start; i < end; {
		r, n := utf8.DecodeRuneInString(text[i:end])
		from := i
		if !dense(r) {
			for i < end {
				if r, n = utf8.DecodeRuneInString(text[i:end]); dense(r) {
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
			out = append(out, Word{text[from:i], from, i}) // alone
		}
	}
	return out
}

func before(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// dense are the scripts that are written without spaces.
func dense(r rune) bool {
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Stem is the stem of an English word in the form that Words gives it: what query, queries and querying have in common (Porter,
// «Snowball», 2001). Words of other languages come out whole or nearly so.
func Stem(word string) string {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return english.Stem(word, false)
}

// Fold takes diacritics off and makes letters small.
func Fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if !unicode.IsMark(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// stop are English words that tell nothing about a subject; a query of nothing else is searched as it is.
var stop = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("a an and are as at be by can do does for from has have how i in is it its of on or that the this to was what when where which who why will with you your") {
		m[w] = true
	}
	return m
}()

// Terms are a query's distinct words, without those that tell nothing where others are left.
func Terms(query string) []string {
	var all, telling []string
	seen := map[string]bool{}
	for _, w := range Words(query) {
		if seen[w.Text] || len(all) == maxTerms {
			continue
		}
		seen[w.Text] = true
		all = append(all, w.Text)
		if !stop[w.Text] {
			telling = append(telling, w.Text)
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return all
}

// maxTerms bounds what one query costs; questions have a dozen words.
const maxTerms = 32
