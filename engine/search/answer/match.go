package answer

import (
	"slices"
	"strings"

	"searchmcp/engine/store/text"
)

const (
	maxAtoms     = 64  // number of bits in match.exact and match.weak
	familyWeight = 0.7 // weight of a related word, as "parser" for "parse", or of a corrected spelling
)

// Query is a query prepared for many passages. It is not safe for concurrent use.
type Query struct {
	atoms  []atom
	known  map[string]match // cached matches by token
	tokens text.Tokenizer
}

// atom is a part of a word in the query, such as "close" in "closeSession".
type atom struct {
	text   string
	weight float64
	also   []string
}

// match contains sets of atoms. A passage contains the exact atoms, and words related to the weak ones.
type match struct{ exact, weak uint64 }

// NewQuery prepares a query of terms, whose weights sum to 1. A token t of the query also matches the tokens in
// also[t], such as corrected spellings.
func NewQuery(terms []text.Term, also map[string][]string) *Query {
	q := &Query{known: map[string]match{}}
	for _, t := range terms {
		parts := t.Tokens()
		for _, p := range parts {
			if len(q.atoms) == maxAtoms {
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

// Window shortens each line of text to the limit bytes that are most relevant to the query.
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
