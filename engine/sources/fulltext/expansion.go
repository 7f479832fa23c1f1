package fulltext

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/files/glob"
)

const (
	stemQuality   = 0.9  // another form: "query" matches "queries"
	prefixQuality = 0.75 // a prefix: "config" matches "configuration"
	partQuality   = 0.4  // an inner part: "hook" matches "webhooks"
	minPart       = 4    // minimum letters of a term that matches an inner part
	oneError      = 0.7
	twoErrors     = 0.45
	otherInitial  = 0.8 // factor for a different first letter, which is seldom mistyped
	maxExpansions = 24  // maximum number of words that a term matches
)

// Errors returns the number of typing errors allowed in a word of n letters, which is 0 for short words.
func Errors(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 7:
		return 1
	}
	return 2
}

type expansion struct {
	word    *entry
	quality float64
}

// expansions returns the term and its other forms in the vocabulary. If there are none, it returns words that differ
// from the term by typing errors, begin with the term or contain it.
func (v *Vocabulary) expansions(term string) []expansion {
	var out []expansion
	stem := Stem(term)
	for _, e := range v.list {
		if e.text == term {
			out = append(out, expansion{e, 1})
		} else if e.stem == stem {
			out = append(out, expansion{e, stemQuality})
		}
	}
	if len(out) > 0 {
		return best(out)
	}
	n := utf8.RuneCountInString(term)
	forgiven := Errors(n)
	for _, e := range v.list {
		if q := quality(term, n, forgiven, e); q > 0 {
			out = append(out, expansion{e, q})
		}
	}
	if len(out) == 0 && n >= minPart {
		for _, e := range v.list {
			if strings.Contains(e.text, term) {
				out = append(out, expansion{e, partQuality * (0.5 + 0.5*float64(n)/float64(e.length))})
			}
		}
	}
	return best(out)
}

func quality(term string, n, forgiven int, e *entry) float64 {
	if r, _ := utf8.DecodeRuneInString(term); dense(r) {
		// In a vocabulary from SQLite, a word may be a whole Chinese sentence.
		if len(e.text) > len(term) && strings.Contains(e.text, term) {
			return prefixQuality
		}
		return 0
	}
	if n >= 3 && len(e.text) > len(term) && strings.HasPrefix(e.text, term) {
		// A word with a long suffix is less likely to have the same meaning.
		return prefixQuality * (0.5 + 0.5*float64(n)/float64(e.length))
	}
	if forgiven == 0 {
		return 0
	}
	d, within := glob.Distance(term, e.text, forgiven)
	q := oneError
	if stem := e.stem; !within && e.length > n && len(stem) < len(e.text) { // compare the stem: "webhok" for "webhooks"
		d, within = glob.Distance(term, stem, forgiven)
		q *= stemQuality
	}
	if !within {
		return 0
	}
	if d == 2 {
		q *= twoErrors / oneError
	}
	if a, _ := utf8.DecodeRuneInString(term); !strings.HasPrefix(e.text, string(a)) {
		q *= otherInitial
	}
	return q
}

// Vocabulary is a set of words with their document frequencies. It is safe for concurrent use.
type Vocabulary struct{ list []*entry }

type entry struct {
	text   string
	stem   string
	length int
	live   int
}

// NewVocabulary returns a vocabulary of the words with the given document frequencies.
func NewVocabulary(frequencies map[string]int) *Vocabulary {
	v := &Vocabulary{make([]*entry, 0, len(frequencies))}
	for text, n := range frequencies {
		if r, _ := utf8.DecodeRuneInString(text); len(text) > maxWord && !dense(r) {
			continue
		}
		e := &entry{text, Stem(text), utf8.RuneCountInString(text), max(1, n)}
		v.list = append(v.list, e)
	}
	return v
}

func (v *Vocabulary) Expansions(term string) []string {
	var out []string
	for _, m := range v.expansions(term) {
		out = append(out, m.word.text)
	}
	return out
}

func best(m []expansion) []expansion {
	if len(m) > maxExpansions {
		slices.SortFunc(m, func(a, b expansion) int {
			return cmp.Or(cmp.Compare(b.quality, a.quality), cmp.Compare(b.word.live, a.word.live),
				strings.Compare(a.word.text, b.word.text))
		})
		m = m[:maxExpansions]
	}
	return m
}
