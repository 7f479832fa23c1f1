package onnx

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/wordpiece"
)

const referenceDir = "../../../../assets/model"

func reference(t testing.TB) (texts []string, vectors []api.Vector) {
	t.Helper()
	f, err := os.Open(filepath.Join(referenceDir, "testdata", "texts.jsonl"))
	must(t, err)
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); d.More(); {
		var s string
		must(t, d.Decode(&s))
		texts = append(texts, s)
	}
	raw, err := os.ReadFile(filepath.Join(referenceDir, "testdata", "vectors.bin"))
	must(t, err)
	if len(raw) != 2*api.VectorDim*len(texts) || len(texts) < 200 {
		t.Fatalf("%d texts, %d bytes of vectors", len(texts), len(raw))
	}
	vectors = make([]api.Vector, len(texts))
	for i := range vectors {
		for c := range vectors[i] {
			vectors[i][c] = float32(int16(binary.LittleEndian.Uint16(raw[2*(i*api.VectorDim+c):]))) / math.MaxInt16
		}
	}
	return texts, vectors
}

// The shipped model, in ONNX Runtime, against vectors of the unquantised network.
func TestReference(t *testing.T) {
	texts, want := reference(t)
	e := open(t, Options{})
	s, err := e.loaded()
	must(t, err)
	r, err := s.borrow()
	must(t, err)
	defer r.close()
	encoder := wordpiece.NewEncoder(e.vocab)
	sum, lowest := 0.0, 1.0
	for i, text := range texts {
		r.ids = encoder.Encode(r.ids[:0], text, embed.MaxTokens)
		v, err := r.run(s.native, len(r.ids))
		must(t, err)
		if length := math.Sqrt(cosine(v, v)); math.Abs(length-1) > 1e-3 {
			t.Errorf("length %.4f: %q", length, text)
		}
		c := cosine(v, want[i])
		if c < 0.96 {
			t.Errorf("cosine %.4f: %q", c, text)
		}
		sum, lowest = sum+c, min(lowest, c)
	}
	t.Logf("mean cosine %.5f, lowest %.5f", sum/float64(len(texts)), lowest)
	if mean := sum / float64(len(texts)); mean < 0.99 {
		t.Errorf("mean cosine %.5f", mean)
	}
}
