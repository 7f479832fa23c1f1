package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

type phrases struct {
	length int
	index  map[string]int
	quote  bool // score the longest quotation instead of the fraction of phrases found
}

const (
	maxPhrase = 64 // maximum number of words, except for reports
	// quoteLength is the number of consecutive words of a report that quote the code. Shorter sequences count as idioms.
	quoteLength = 4
	fullQuote   = 8 // number of words of a quotation with the maximum score
)

// phrasesOf returns the pairs of adjacent words of a query or, for a report, the sequences of quoteLength words most of
// which are not short.
func phrasesOf(q *parsedQuery) phrases {
	p := phrases{length: 2, index: map[string]int{}, quote: q.kind == report}
	words := strings.Fields(string(appendNormalised(nil, q.whole)))
	shortest, least := 2, 1
	if p.quote {
		p.length, shortest, least = quoteLength, 4, quoteLength/2+1
	} else {
		words = words[:min(len(words), maxPhrase)]
	}
	for i := 0; i+p.length <= len(words); i++ {
		run, long := words[i:i+p.length], 0
		for _, w := range run {
			if len(w) >= shortest {
				long++
			}
		}
		if key := strings.Join(run, " "); long >= least {
			if _, ok := p.index[key]; !ok {
				p.index[key] = len(p.index)
			}
		}
	}
	return p
}

// in returns the score, in [0,1], of a text that was written by appendNormalised.
func (p phrases) in(text []byte) float64 {
	found := make([]bool, len(p.index))
	n, longest, current := 0, 0, 0
	starts := make([]int, 0, p.length) // offsets of the last p.length words
	for i := 1; i < len(text); i++ {
		if text[i-1] != ' ' {
			continue
		}
		if len(starts) == p.length {
			starts = append(starts[:0], starts[1:]...)
		}
		if starts = append(starts, i); len(starts) < p.length {
			continue
		}
		k, ok := p.index[string(text[starts[0]:i+bytes.IndexByte(text[i:], ' ')])]
		if !ok {
			current = 0
			continue
		}
		current = max(current+1, p.length)
		longest = max(longest, current)
		if !found[k] {
			found[k] = true
			n++
		}
	}
	if p.quote {
		return min(1, float64(longest)/fullQuote)
	}
	return float64(n) / float64(max(1, len(p.index)))
}

// appendNormalised appends s to b, which is empty or ends with a space, in lower case and with a space before and after
// each word.
func appendNormalised(b []byte, s string) []byte {
	if len(b) == 0 {
		b = append(b, ' ')
	}
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_':
			b = append(b, byte(r))
		case 'A' <= r && r <= 'Z':
			b = append(b, byte(r)+'a'-'A')
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b = utf8.AppendRune(b, unicode.ToLower(r))
		case b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	if b[len(b)-1] != ' ' {
		b = append(b, ' ')
	}
	return b
}
