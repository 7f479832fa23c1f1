package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"searchmcp/engine/store/text"
	"testing"

	"searchmcp/engine/api"
)

// Bits flipped anywhere in the text index never cause a panic or a hang, but a result, an error or INDEX_CORRUPT. This
// includes the table of contents without a seal, as after a crash.
func TestFlippedBits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 9 {
		dir := spoiled(t, func(dir string) {
			if round%3 == 2 {
				must(t, os.Remove(filepath.Join(dir, "index.bleve", "root.seal")))
			}
			spoil(t, func(data []byte) []byte {
				for range 1 + len(data)/2000 {
					data[r.IntN(len(data))] ^= 1 << r.IntN(8)
				}
				return data
			}, dir, "index.bleve", []string{"*.zap", "root.bolt", "root.bolt"}[round%3])
		})
		useDamaged(t, dir)
	}
}

// One bit can make the library read segments by the rules of an older version, with arbitrary row numbers.
func TestFlippedVersion(t *testing.T) {
	dir := spoiled(t, func(dir string) {
		must(t, os.Remove(filepath.Join(dir, "index.bleve", "root.seal")))
		spoil(t, func(data []byte) []byte {
			if !bytes.Contains(data, []byte("version\x00\x00\x00\x11")) {
				t.Fatal("segments are of another version: choose another bit")
			}
			return bytes.ReplaceAll(data, []byte("version\x00\x00\x00\x11"), []byte("version\x00\x00\x00\x10"))
		}, dir, "index.bleve", "root.bolt")
	})
	_, err := Open(t.Context(), dir, Options{Tables: testTables(), ModelHash: "model", ChunkerVersion: "1"})
	if api.CodeOf(err) != api.IndexCorrupt {
		t.Errorf("opened: %v", err)
	}
}

// Damage of a LanceDB file, in particular at its beginning, is detected before the library reads the file, and the
// table is recreated.
func TestDamagedTables(t *testing.T) {
	for _, pattern := range []string{"data/*", "_versions/*"} {
		for _, how := range []string{"head", "bit", "cut", "appended", "removed"} {
			t.Run(pattern+" "+how, func(t *testing.T) {
				dir := spoiled(t, func(dir string) {
					spoil(t, damages[how], dir, "index.lancedb", "project_docs.lance", filepath.FromSlash(pattern))
				})
				s, err := Open(t.Context(), dir, Options{Tables: testTables(), ModelHash: "model", ChunkerVersion: "1"})
				must(t, err)
				defer s.Close()
				needVectors(t, s)
				if problem := s.VectorProblem(); api.CodeOf(problem) != api.IndexCorrupt {
					t.Errorf("after the start: %v", problem)
				}
				if err := s.RebuildVectors(t.Context()); err != nil || s.VectorProblem() != nil {
					t.Errorf("rebuilt: %v, %v", err, s.VectorProblem())
				}
			})
		}
	}
}

// useDamaged uses an index like the app. Every error has to be INDEX_CORRUPT.
func useDamaged(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(t.Context(), dir, Options{Tables: testTables(), ModelHash: "model", ChunkerVersion: "1"})
	onlyCorrupt(t, "open", err)
	if err != nil {
		return
	}
	v := s.View()
	for _, q := range []string{"word", "number3", "second"} {
		hits, err := v.Text(t.Context(), api.CorpusCode, TextQuery{Terms: text.Terms(q), K: 50, Fuzzy: true})
		onlyCorrupt(t, "search", err)
		for _, h := range hits {
			ids := []string{api.ChunkID(h.Path, h.ContentHash, h.Chunks[0])}
			_, err := v.Chunks(t.Context(), api.CorpusCode, ids)
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
