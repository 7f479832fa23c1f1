package answer

import (
	"slices"
	"strings"

	"searchmcp/engine/store/text"
)

const (
	maxAtoms     = 64  // number of bits in a uint64
	familyWeight = 0.7 // weight of a related word, such as "parser" for "parse"
)

// Query is a query prepared for scoring texts. It is not safe for concurrent use.
type Query struct {
	atoms  []atom
	known  map[string]match
	tokens text.Tokenizer
}

// atom is a part of a word in a query, such as "close" in "closeSession".
type atom struct {
	text   string
	weight float64
	also   []string
}

// match contains two sets of atoms: those that occur in a text, and those that only resemble a word in the text.
type match struct{ exact, weak uint64 }

// NewQuery prepares terms, whose weights must sum to 1. also[t] lists other spellings of the token t.
func NewQuery(terms []text.Term, also map[string][]string) *Query {
	q := &Query{known: map[string]match{}}
	for _, t := range terms {
		for _, p := range t.Parts {
			if len(q.atoms) == maxAtoms {
				return q
			}
			q.atoms = append(q.atoms, atom{text: p, weight: t.Weight / float64(len(t.Parts)), also: also[p]})
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
		case text.Related(a.text, s), slices.Contains(a.also, s):
			m.weak |= 1 << i
		}
	}
	q.known[s] = m
	return m
}

func (m *match) add(o match) { m.exact, m.weak = m.exact|o.exact, m.weak|o.weak }

func (m match) any() bool { return m.exact|m.weak != 0 }

func (q *Query) in(line string) (m match) {
	q.tokens.Tokens(line, func(tok []byte, whole bool) {
		if !whole {
			m.add(q.of(tok))
		}
	})
	return m
}

func (q *Query) worth(m match) (sum float64) {
	for i, a := range q.atoms {
		switch bit := uint64(1) << i; {
		case m.exact&bit != 0:
			sum += a.weight
		case m.weak&bit != 0:
			sum += familyWeight * a.weight
		}
	}
	return sum
}

// window cuts a line to at most limit bytes, around the words of the query.
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
