package search

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPhrase bounds the words of a query whose neighbours are compared: messages are shorter.
const maxPhrase = 64

// bigrams returns the pairs of consecutive words of a query in the form of appendNormalised.
func bigrams(query string) [][]byte {
	words := strings.Fields(string(appendNormalised(nil, query)))
	words = words[:min(len(words), maxPhrase)]
	var pairs [][]byte
	for i := 1; i < len(words); i++ {
		if len(words[i-1]) > 1 || len(words[i]) > 1 {
			pairs = append(pairs, []byte(" "+words[i-1]+" "+words[i]+" "))
		}
	}
	return pairs
}

// bigramFraction returns the fraction of pairs that a normalised text contains.
func bigramFraction(pairs [][]byte, text []byte) float64 {
	n := 0
	for _, p := range pairs {
		if bytes.Contains(text, p) {
			n++
		}
	}
	return float64(n) / float64(len(pairs))
}

// smallByte maps ASCII's letters, digits and the underscore to their normalised form, other bytes to 0.
var smallByte = func() (t [256]byte) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyz0123456789_") {
		t[c] = c
	}
	for c := byte('A'); c <= 'Z'; c++ {
		t[c] = c + 'a' - 'A'
	}
	return t
}()

// appendNormalised appends a text as lower-case words with one space before and after each.
func appendNormalised(b []byte, s string) []byte {
	b = append(b, ' ')
	space := true
	for i := 0; i < len(s); {
		b = slices.Grow(b, len(s)-i+1)
		ascii, n := b[:cap(b)], len(b) // ASCII is written by index, in half of the time of append
		for ; i < len(s) && s[i] < utf8.RuneSelf; i++ {
			switch c := smallByte[s[i]]; {
			case c != 0:
				ascii[n], space = c, false
				n++
			case !space:
				ascii[n], space = ' ', true
				n++
			}
		}
		b = ascii[:n]
		for i < len(s) && s[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				b, space = utf8.AppendRune(b, unicode.ToLower(r)), false
			} else if !space {
				b, space = append(b, ' '), true
			}
			i += size
		}
	}
	if !space {
		b = append(b, ' ')
	}
	return b
}
