package search

import (
	"slices"
	"strings"
	"sync"

	"searchmcp/assets/model"
)

// vocabulary contains the tokens of the embedding model: common words of English and of programming.
var vocabulary = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for token := range strings.FieldsSeq(model.Vocab()) {
		all[token] = true
	}
	return all
})

// isWord reports whether a token, or the token with a plural s, is in the vocabulary.
func isWord(token string) bool { return vocabulary()[token] || vocabulary()[token+"s"] }

func (q *parsedQuery) mostlyKnownWords() bool {
	n := 0
	for _, w := range q.words {
		if slices.ContainsFunc(w.Tokens(), isWord) {
			n++
		}
	}
	return 2*n >= len(q.words)
}

const minCorrected = 5 // minimum number of letters of a corrected word

// correctedText replaces misspelt words, because the embedding model does not understand "chekout". It keeps names, and
// words of commit messages, which may not be indexed yet.
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

// nearestSpelling returns the correction with the longest common prefix, because first letters are rarely mistyped.
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
