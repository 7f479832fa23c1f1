// Package token counts the tokens of texts that an assistant reads.
//
// It uses the public byte-pair vocabulary o200k_base. The counts of other models differ by 10 to 20 %, so the figures
// compare forms of answers but are not exact costs. Only tests and benchmarks import this package, because its
// vocabulary has 4 MB.
package token

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Count returns the number of tokens in s.
func Count(s string) (int, error) {
	c, err := codec()
	if err != nil {
		return 0, err
	}
	return c.Count(s)
}
