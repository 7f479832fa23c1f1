//go:build flips

package store

import (
	"math/rand/v2"
	"testing"

	"searchmcp/engine/api"
)

// Single flipped bits anywhere in the text index lead to an answer, an error or an INDEX_CORRUPT, never to a panic or a hang.
func TestFlippedBits(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for round := range 8 {
		dir := spoiled(t, func(dir string) {
			each(t, func(path string, data []byte) {
				for range 1 + len(data)/2000 {
					data[r.IntN(len(data))] ^= 1 << r.IntN(8)
				}
				write(t, path, data)
			}, dir, "index.bleve", []string{"*.zap", "root.bolt"}[round%2])
		})
		s, err := Open(t.Context(), dir, Options{ModelHash: "model", ChunkerVersion: "1"})
		if err != nil {
			if api.CodeOf(err) != api.IndexCorrupt {
				t.Errorf("open: %v", err)
			}
			continue
		}
		v := s.View()
		for _, q := range []string{"word", "number3", "second"} {
			hits, err := v.Text(t.Context(), api.CorpusCode, TextQuery{Text: q, K: 50, Prefix: true, Fuzzy: true})
			if err != nil && api.CodeOf(err) != api.IndexCorrupt {
				t.Errorf("search: %v", err)
			}
			for _, h := range hits {
				if _, err := v.Chunks(t.Context(), api.CorpusCode, []string{h.ID}); err != nil && api.CodeOf(err) != api.IndexCorrupt {
					t.Errorf("chunks: %v", err)
				}
			}
		}
		v.Release()
		if _, err := s.Check(t.Context()); err != nil && api.CodeOf(err) != api.IndexCorrupt {
			t.Errorf("check: %v", err)
		}
		if err := s.Put(t.Context(), api.CorpusCode, []FileChunks{file("new.go", "word")}); err != nil && api.CodeOf(err) != api.IndexCorrupt {
			t.Errorf("put: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Logf("close: %v", err)
		}
	}
}
