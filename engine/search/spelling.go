package search

import (
	"slices"
	"strings"
	"sync"

	"searchmcp/assets/model"
)

// vocabulary returns the sorted whole words of the embedding model: common words of English and of programming.
var vocabulary = sync.OnceValue(func() []string {
	var all []string
	for token := range strings.FieldsSeq(model.Vocab()) {
		if !strings.HasPrefix(token, "##") { // not a piece that continues a word
			all = append(all, token)
		}
	}
	slices.Sort(all)
	return all
})

// isWord reports whether a token is in the vocabulary, and so counts as spelt correctly. It also looks up the plural,
// because tokens have no plural s.
func isWord(token string) bool {
	for _, w := range []string{token, token + "s"} {
		if _, ok := slices.BinarySearch(vocabulary(), w); ok {
			return true
		}
	}
	return false
}

func (q *parsedQuery) mostlyKnownWords() bool {
	n := 0
	for _, w := range q.words {
		if slices.ContainsFunc(w.Tokens(), isWord) {
			n++
		}
	}
	return 2*n >= len(q.words)
}

// minCorrected is the minimum length of a word that is corrected for the model.
const minCorrected = 5

// correctedText returns text with misspelt words replaced by words of the index, because the model does not understand
// "chekout". It does not change names, or change messages, whose words may not be indexed yet.
func (q *parsedQuery) correctedText(text string) string {
	if q.certainChange || q.kind.isName() {
		return text
	}
	for _, w := range q.words {
		if len(w.Parts) > 1 || len(w.Whole) < minCorrected || q.isName(w.Whole) {
			continue
		}
		i := strings.Index(text, w.Whole)
		if instead := nearestSpelling(w.Whole, q.corrected[w.Whole]); i >= 0 && instead != "" {
			text = text[:i] + instead + text[i+len(w.Whole):]
		}
	}
	return text
}

// nearestSpelling returns the correction that has the longest prefix in common with word, because first letters are
// rarely mistyped.
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
