package named

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func BenchmarkSearch(b *testing.B) {
	const texts, words, vocabulary = 10_000, 100, 5_000
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 8, vocabulary-1)
	index := New(256 << 20)
	for i := range texts {
		var text strings.Builder
		for range words {
			fmt.Fprintf(&text, "word%d ", zipf.Uint64())
		}
		if _, _, err := index.Add("", strconv.Itoa(i), text.String(), nil); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if a, err := index.Search("", `+word3 word40 word500 -word4000`, 10); err != nil || len(a.Results) == 0 {
			b.Fatal(len(a.Results), err)
		}
	}
}
