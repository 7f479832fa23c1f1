package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
)

// Flipped bits anywhere in the text index lead to an answer, an error or an INDEX_CORRUPT, never to a panic or a hang:
// in segments, in the table of contents, and in that table after a crash, which leaves it without a seal.
func TestFlippedBits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 9 {
		dir := spoiled(t, func(dir string) {
			if round%3 == 2 {
				if err := os.Remove(filepath.Join(dir, "index.bleve", "root.seal")); err != nil {
					t.Fatal(err)
				}
			}
			each(t, func(path string, data []byte) {
				for range 1 + len(data)/2000 {
					data[r.IntN(len(data))] ^= 1 << r.IntN(8)
				}
				write(t, path, data)
			}, dir, "index.bleve", []string{"*.zap", "root.bolt", "root.bolt"}[round%3])
		})
		useDamaged(t, dir)
	}
}

// useDamaged does with an index what the program does. Every error has to be an INDEX_CORRUPT.
func useDamaged(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(t.Context(), dir, Options{Tables: testTables(), ModelHash: "model", ChunkerVersion: "1"})
	onlyCorrupt(t, "open", err)
	if err != nil {
		return
	}
	v := s.View()
	for _, q := range []string{"word", "number3", "second"} {
		hits, err := v.Text(t.Context(), api.CorpusCode, TextQuery{Text: q, K: 50, Related: true, Fuzzy: true})
		onlyCorrupt(t, "search", err)
		for _, h := range hits {
			_, err := v.Chunks(t.Context(), api.CorpusCode, []string{h.ID})
			onlyCorrupt(t, "chunks", err)
		}
	}
	v.Release()
	_, err = s.Check(t.Context())
	onlyCorrupt(t, "check", err)
	onlyCorrupt(t, "put", s.Put(t.Context(), api.CorpusCode, []FileChunks{file("new.go", "word")}))
	if err := s.Close(); err != nil {
		t.Logf("close: %v", err)
	}
}

func onlyCorrupt(t *testing.T, op string, err error) {
	t.Helper()
	if err != nil && api.CodeOf(err) != api.IndexCorrupt {
		t.Errorf("%s: %v", op, err)
	}
}
