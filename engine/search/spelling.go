package search

import (
	"slices"
	"strings"
	"sync"

	"searchmcp/assets/model"
)

// vocabulary is what the embedding model knows whole, in order: the common words of English and of programming.
var vocabulary = sync.OnceValue(func() []string {
	var all []string
	for token := range strings.FieldsSeq(model.Vocab()) {
		if !strings.HasPrefix(token, "##") { // else the end of a word
			all = append(all, token)
		}
	}
	slices.Sort(all)
	return all
})

// isWord tells words that nobody has misspelt although the index has none of them. The s of a plural is looked for as
// well, for tokens have lost it.
func isWord(token string) bool {
	for _, w := range []string{token, token + "s"} {
		if _, ok := slices.BinarySearch(vocabulary(), w); ok {
			return true
		}
	}
	return false
}

// mostlyKnownWords reports whether at least half of the query's words are words.
func (q *parsedQuery) mostlyKnownWords() bool {
	n := 0
	for _, w := range q.words {
		if slices.ContainsFunc(w.parts, isWord) {
			n++
		}
	}
	return 2*n >= len(q.words)
}

// minCorrected is how many letters a word needs for its correction to be certain enough to change the query.
const minCorrected = 5

// correctedText is the query's text with misspelt words as the index has them: to the model the pieces of "chekout"
// mean something else than a checkout. Names stand as they are, and so do messages of changes, which are about what
// the index has not yet.
func (q *parsedQuery) correctedText(text string) string {
	if q.certainChange || !q.kind.isNaturalLanguage() {
		return text
	}
	for _, w := range q.words {
		if len(w.parts) > 1 || len(w.whole) < minCorrected || q.isName(w.whole) {
			continue
		}
		i := strings.Index(text, w.whole)
		if instead := nearestSpelling(w.whole, q.corrected[w.whole]); i >= 0 && instead != "" {
			text = text[:i] + instead + text[i+len(w.whole):]
		}
	}
	return text
}

// nearestSpelling is the one of several corrections that begins most like the word, for people rarely mistake a word's
// first letters; "" if none begins like it.
func nearestSpelling(word string, corrections []string) (best string) {
	longest := 0
	for _, c := range corrections {
		n := 0
		for n < min(len(word), len(c)) && word[n] == c[n] {
			n++
		}
		if n > longest {
			best, longest = c, n
		}
	}
	return best
}
