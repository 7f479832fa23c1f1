package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrases contains the sequences of four words in a query, without sequences of mostly short words.
type phrases map[string]bool

const (
	quoteLength = 4 // minimum number of words in a quotation; shorter ones are often idioms
	longWord    = 4 // minimum size of a long word in bytes
	fullQuote   = 8 // number of words in a quotation with the maximum score
)

func phrasesOf(query string) phrases {
	p := phrases{}
	words := strings.Fields(string(appendNormalised(nil, query)))
	for i := 0; i+quoteLength <= len(words); i++ {
		long := 0
		for _, w := range words[i : i+quoteLength] {
			if len(w) >= longWord {
				long++
			}
		}
		if long > quoteLength/2 {
			p[strings.Join(words[i:i+quoteLength], " ")] = true
		}
	}
	return p
}

// in returns the score in [0,1] of the longest quotation in a normalised text.
func (p phrases) in(text []byte) float64 {
	longest, current := 0, 0
	starts := make([]int, 0, quoteLength)
	for i := 1; i < len(text); i++ {
		if text[i-1] != ' ' {
			continue
		}
		if len(starts) == quoteLength {
			starts = append(starts[:0], starts[1:]...)
		}
		if starts = append(starts, i); len(starts) < quoteLength {
			continue
		}
		if !p[string(text[starts[0]:i+bytes.IndexByte(text[i:], ' ')])] {
			current = 0
			continue
		}
		current = max(current+1, quoteLength)
		longest = max(longest, current)
	}
	return min(1, float64(longest)/fullQuote)
}

// appendNormalised appends the words of s to b, in lower case and with spaces around each word. b must be empty or end
// with a space.
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
