package answer

import (
	"math/bits"
	"slices"
	"strings"

	"searchmcp/engine/store/text"
)

// maxAtoms is the maximum number of atoms, because a match contains sets of 64 bits.
const maxAtoms = 64

// familyWeight is the weight of a match with a related word (parse, parser) or a corrected spelling.
const familyWeight = 0.7

// Query is a query prepared for many texts. It is not safe for concurrent use.
type Query struct {
	atoms   []atom
	terms   []text.Term
	also    map[string][]string
	known   map[string]match // cached matches by token
	tokens  text.Tokenizer
	ordered bool // see NewQuery
}

// atom is a part of a word of the query.
type atom struct {
	text   string
	weight float64
	also   []string
}

// match contains the atoms that a token matches, exactly or weakly, and the terms that it matches as a whole.
type match struct{ exact, weak, whole uint64 }

// NewQuery prepares a query of terms whose weights sum to 1. A token t of the query also matches the tokens in also[t],
// such as corrected spellings. ordered means that the order of the words matters.
func NewQuery(terms []text.Term, also map[string][]string, ordered bool) *Query {
	q := &Query{terms: terms, also: also, known: map[string]match{}, ordered: ordered}
	for i, t := range terms {
		parts := t.Tokens()
		for _, p := range parts {
			if len(q.atoms) == maxAtoms || i >= maxAtoms {
				return q
			}
			q.atoms = append(q.atoms, atom{text: p, weight: t.Weight / float64(len(parts)), also: also[p]})
		}
	}
	return q
}

func (q *Query) of(tok []byte) match {
	m, ok := q.known[string(tok)]
	if ok {
		return m
	}
	s := string(tok)
	for i, a := range q.atoms {
		switch {
		case a.text == s:
			m.exact |= 1 << i
		case text.Related(a.text, s):
			m.weak |= 1 << i
		case slices.Contains(a.also, s):
			m.weak |= 1 << i
		}
	}
	for i, t := range q.terms {
		if i < maxAtoms && len(t.Parts) > 1 && (t.Whole == s || slices.Contains(q.also[t.Whole], s)) {
			m.whole |= 1 << i
		}
	}
	q.known[s] = m
	return m
}

type found struct {
	match
	pairs uint64 // atoms that follow the same atom as in the query
}

func (f *found) add(o found) {
	f.exact, f.weak, f.whole, f.pairs = f.exact|o.exact, f.weak|o.weak, f.whole|o.whole, f.pairs|o.pairs
}

func (f found) any() uint64 { return f.exact | f.weak }

func (q *Query) in(line string) found {
	var f found
	before, skipped := uint64(0), 0
	q.tokens.Tokens(line, func(tok []byte, whole bool) {
		m := q.of(tok)
		f.exact, f.weak, f.whole = f.exact|m.exact, f.weak|m.weak, f.whole|m.whole
		if whole {
			return
		}
		now := m.exact | m.weak
		if now == 0 {
			if skipped++; skipped > 1 { // a single word in between, such as a stop word, does not separate a pair
				before = 0
			}
			return
		}
		f.pairs |= now & (before << 1)
		before, skipped = now, 0
	})
	return f
}

// Factors of a term's weight that are added to the score of a match.
const (
	wholeWorth   = 0.6 // for a whole name of several parts
	pairWorth    = 0.4 // for a word that follows the same word as in the query
	orderedWorth = 1.2 // replaces pairWorth if the order matters
)

func (q *Query) worth(f found) float64 {
	sum := 0.0
	pair := pairWorth
	if q.ordered {
		pair = orderedWorth
	}
	for set := f.any(); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		bit := uint64(1) << i
		w := q.atoms[i].weight
		if f.exact&bit == 0 {
			w *= familyWeight
		}
		if f.pairs&bit != 0 {
			w *= 1 + pair
		}
		sum += w
	}
	for set := f.whole; set != 0; set &= set - 1 {
		sum += wholeWorth * q.terms[bits.TrailingZeros64(set)].Weight
	}
	return sum
}

// Window shortens each line of a text to the limit bytes that are most relevant to the query.
func (q *Query) Window(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		b.WriteString(q.window(bare, limit))
		b.WriteString(line[len(bare):])
	}
	return b.String()
}

func (q *Query) window(line string, limit int) string {
	if len(line) <= limit {
		return line
	}
	best, at := -1.0, 0
	step := max(1, limit/3)
	for from := 0; from < len(line); from += step {
		part := line[from:min(len(line), from+limit)]
		if v := q.worth(q.in(strings.ToValidUTF8(part, " "))); v > best+1e-9 {
			best, at = v, from
		}
		if from+limit >= len(line) {
			break
		}
	}
	to := min(len(line), at+limit)
	part := strings.ToValidUTF8(line[at:to], "")
	if at > 0 {
		part = "…" + part
	}
	if to < len(line) {
		part += "…"
	}
	return part
}
