// Package token counts text in tokens, the unit in which an assistant pays for what it reads.
//
// It counts by a public byte-pair vocabulary, o200k_base; the vocabularies of other models differ from it by a tenth or
// two, so that figures compare ways of answering and bound what they cost, and are no bill. It is for tests and
// measurements: nothing of the product imports it, which would have to carry the vocabulary's 4 MB.
package token

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Count is the number of tokens of s.
func Count(s string) (int, error) {
	c, err := codec()
	if err != nil {
		return 0, err
	}
	return c.Count(s)
}
