package grep

import (
	"bytes"
	"math"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"searchmcp/engine/lang"
)

// literal is a set of strings. Every match of the expression contains at least one of them.
type literal struct {
	any  []string // ASCII; in lower case if fold is set
	fold bool
}

// literals returns the strings that a match of the expression must contain, the most selective first.
func literals(re *syntax.Regexp) []literal {
	all := required(re.Simplify())
	for i := 1; i < len(all); i++ {
		if all[i].score() > all[0].score() {
			all[0], all[i] = all[i], all[0]
		}
	}
	return all
}

const maxAlternatives = 16 // searching for more strings is slow

func required(re *syntax.Regexp) []literal {
	switch re.Op {
	case syntax.OpLiteral:
		if l := longestASCII(re.Rune); l != "" {
			fold := re.Flags&syntax.FoldCase != 0
			if fold {
				l = string(bytes.ToLower([]byte(l)))
			}
			return []literal{{[]string{l}, fold}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []literal
		for _, sub := range re.Sub {
			all = append(all, required(sub)...)
		}
		return all
	case syntax.OpAlternate:
		var either literal
		for i, sub := range re.Sub {
			one := literals(sub)
			if len(one) == 0 || i > 0 && one[0].fold != either.fold || len(either.any)+len(one[0].any) > maxAlternatives {
				return nil
			}
			either = literal{append(either.any, one[0].any...), one[0].fold}
		}
		return []literal{either}
	}
	return nil
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

func (l literal) score() int {
	least := math.MaxInt
	for _, s := range l.any {
		least = min(least, len(s))
	}
	return least
}

type scanner struct {
	data  []byte
	texts []string
	next  []int // first position of each string at or after the last start
}

func newScanner(l literal, data []byte) *scanner {
	s := &scanner{data: data, texts: l.any}
	if l.fold { // the long s and the Kelvin sign fold to the letters s and k
		s.data, s.texts = lang.LowerASCII(data), append(slices.Clone(l.any), "\u017f", "\u212a")
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
