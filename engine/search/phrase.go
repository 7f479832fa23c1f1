package search

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPhrase limits the number of query words that are compared in pairs. Messages are shorter.
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

// runLength is the number of consecutive words of a report that count as a quotation of the code, such as a message or
// a line. Shorter runs are idioms.
const runLength = 4

// fullRun is the length in words above which a longer quotation does not score more.
const fullRun = 8

// quotations returns the runs of runLength words of a report, except runs of mostly short words.
func quotations(report string) map[string]bool {
	words := strings.Fields(string(appendNormalised(nil, report)))
	runs := map[string]bool{}
	for i := 0; i+runLength <= len(words); i++ {
		long := 0
		for _, w := range words[i : i+runLength] {
			if len(w) > 3 {
				long++
			}
		}
		if long > runLength/2 {
			runs[strings.Join(words[i:i+runLength], " ")] = true
		}
	}
	return runs
}

// longestQuotation returns the length in words of the longest part of a text, written by appendNormalised, that
// consists of runs, as a fraction of fullRun.
func longestQuotation(runs map[string]bool, text []byte) float64 {
	var starts []int // of the words
	longest, current := 0, 0
	for i := 1; i < len(text); i++ {
		if text[i-1] != ' ' {
			continue
		}
		starts = append(starts, i)
		if len(starts) < runLength {
			continue
		}
		end := i + bytes.IndexByte(text[i:], ' ')
		if !runs[string(text[starts[len(starts)-runLength]:end])] {
			current = 0
			continue
		}
		current = max(current+1, runLength)
		longest = max(longest, current)
	}
	return min(1, float64(longest)/fullRun)
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
