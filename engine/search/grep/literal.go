package grep

import (
	"bytes"
	"math"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// literal is a set of texts. Every match of the expression contains at least one text of the set.
type literal struct {
	any  []string // ASCII; in lower case if fold is set
	fold bool
}

// literals returns the literals that a parsed expression requires, the most selective first.
func literals(re *syntax.Regexp) []literal {
	all := required(re.Simplify())
	for i := 1; i < len(all); i++ {
		if all[i].score() > all[0].score() {
			all[0], all[i] = all[i], all[0]
		}
	}
	return all
}

// maxAlternatives is the maximum size of a literal's set, because the search time grows with it.
const maxAlternatives = 16

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

// longestASCII returns the longest run of ASCII characters. It excludes NUL, which replaces secrets.
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

// score returns the lowest score of the texts. A longer text and rarer bytes score higher.
func (l literal) score() int {
	least := math.MaxInt
	for _, s := range l.any {
		n := 0
		for i := range len(s) {
			n += 20 + int(rarity[s[i]]) // length counts too: each byte adds 20
		}
		least = min(least, n)
	}
	return least
}

func (l literal) in(data []byte) bool { return newScanner(l, data).from(0) < len(data) }

type scanner struct {
	data  []byte
	fold  bool
	texts []string
	next  []int // first position of each text from the last requested offset on
}

func newScanner(l literal, data []byte) *scanner {
	s := &scanner{data: data, fold: l.fold, texts: l.any}
	if l.fold { // the long s and the Kelvin sign fold to ASCII's s and k
		s.texts = append(slices.Clone(l.any), "\u017f", "\u212a")
	}
	s.next = slices.Repeat([]int{-1}, len(s.texts))
	return s
}

// from returns the first match position that is not before at, or len(data).
func (s *scanner) from(at int) int {
	first := len(s.data)
	for i, text := range s.texts {
		if s.next[i] < at {
			n := 0
			if s.fold {
				n = indexFold(s.data[at:], text)
			} else {
				n = bytes.Index(s.data[at:], []byte(text))
			}
			if s.next[i] = at + n; n < 0 {
				s.next[i] = len(s.data)
			}
		}
		first = min(first, s.next[i])
	}
	return first
}

// indexFold returns the position of s in data, ignoring the case of ASCII letters, or -1. s must be in lower case.
func indexFold(data []byte, s string) int {
	at := 0 // index of the rarest byte
	for i := range s {
		if rarity[s[i]] > rarity[s[at]] {
			at = i
		}
	}
	small := s[at]
	large := small
	if 'a' <= small && small <= 'z' {
		large -= 'a' - 'A'
	}
	for base := 0; base < len(data); base += foldBlock {
		block := data[base:min(base+foldBlock, len(data))]
		for i := 0; i < len(block); i++ {
			n := bytes.IndexByte(block[i:], small)
			if large != small {
				until := block[i:]
				if n >= 0 {
					until = until[:n]
				}
				if m := bytes.IndexByte(until, large); m >= 0 {
					n = m
				}
			}
			if n < 0 {
				break
			}
			i += n
			if start := base + i - at; start >= 0 && start+len(s) <= len(data) && equalFold(data[start:start+len(s)], s) {
				return start
			}
		}
	}
	return -1
}

// foldBlock is the number of bytes that are searched for one case of a letter and then for the other.
const foldBlock = 4 << 10

func equalFold(data []byte, s string) bool {
	for i, c := range data {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != s[i] {
			return false
		}
	}
	return true
}

// rarity ranks the bytes of source code, the most frequent first. Unlisted bytes are the rarest.
var rarity = func() (r [256]byte) {
	const frequent = " etrnaisoldcu\tmpf_.gh(),bx=yv\"w-\n;kq:jz"
	for i := range r {
		r[i] = byte(len(frequent))
	}
	for i := range frequent {
		r[frequent[i]] = byte(i)
	}
	return r
}()
