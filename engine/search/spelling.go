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

func (q *parsedQuery) knownWords() (n int) {
	for _, w := range q.words {
		if slices.ContainsFunc(w.Parts, isWord) {
			n++
		}
	}
	return n
}

// LowerASCII returns a copy of data with ASCII letters in lower case.
func LowerASCII(data []byte) []byte {
	out := make([]byte, len(data))
	for i, c := range data {
		out[i] = lowered[c]
	}
	return out
}

// lowered contains each byte in lower case. A table takes half of the time of comparisons.
var lowered = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
	}
	copy(t['A':], "abcdefghijklmnopqrstuvwxyz")
	return t
}()
