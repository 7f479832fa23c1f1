package grep

import (
	"bytes"
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/search"
)

// literal is a set of strings. Every match of the expression contains at least one of them.
type literal struct {
	any  []string // ASCII; in lower case if fold is set
	fold bool
}

const maxAlternatives = 16 // searching for more strings is slow

// required returns the most selective literal of a simplified expression, or a literal without strings.
func required(re *syntax.Regexp) (best literal) {
	switch re.Op {
	case syntax.OpLiteral:
		if l := longestASCII(re.Rune); l != "" {
			fold := re.Flags&syntax.FoldCase != 0
			if fold {
				l = string(bytes.ToLower([]byte(l)))
			}
			return literal{[]string{l}, fold}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if l := required(sub); l.score() > best.score() {
				best = l
			}
		}
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			one := required(sub)
			if len(one.any) == 0 || i > 0 && one.fold != best.fold || len(best.any)+len(one.any) > maxAlternatives {
				return literal{}
			}
			best = literal{append(best.any, one.any...), one.fold}
		}
	}
	return best
}

// longestASCII returns the longest run of ASCII characters without NUL, which replaces secrets.
func longestASCII(runes []rune) string {
	best, from := "", 0
	for i := 0; i <= len(runes); i++ {
		if i < len(runes) && runes[i] < utf8.RuneSelf && runes[i] != 0 {
			continue
		}
		if i-from > len(best) {
			best = string(runes[from:i])
		}
		from = i + 1
	}
	return best
}

func (l literal) isNewline() bool { return len(l.any) == 1 && strings.Contains(l.any[0], "\n") }

// score returns the length of the shortest string. No line contains a newline, so it is the most selective literal.
func (l literal) score() int {
	switch {
	case len(l.any) == 0:
		return 0
	case l.isNewline():
		return math.MaxInt
	}
	return len(slices.MinFunc(l.any, func(a, b string) int { return len(a) - len(b) }))
}

type scanner struct {
	data  []byte
	texts []string
	next  []int // first position of each string at or after the last start
}

func newScanner(l literal, data []byte) *scanner {
	s := &scanner{data: data, texts: l.any}
	if l.fold { // the long s and the Kelvin sign fold to the letters s and k
		s.data, s.texts = search.LowerASCII(data), append(slices.Clone(l.any), "\u017f", "\u212a")
	}
	s.next = slices.Repeat([]int{-1}, len(s.texts))
	return s
}

// from returns the position of the first match at or after start, or len(data).
func (s *scanner) from(start int) int {
	first := len(s.data)
	for i, text := range s.texts {
		if s.next[i] < start {
			n := bytes.Index(s.data[start:], []byte(text))
			if s.next[i] = start + n; n < 0 {
				s.next[i] = len(s.data)
			}
		}
		first = min(first, s.next[i])
	}
	return first
}
