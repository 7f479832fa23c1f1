package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/klauspost/compress/zstd"

	"searchmcp/engine/api"
	"searchmcp/engine/share/part"
	"searchmcp/engine/store"
)

const (
	minPart = 1 << 20 // minimum size of a part before compression
	maxPart = 8 << 20 // size before compression at which a part always ends
	// cutEvery determines where a part ends: at a path whose hash is a multiple of cutEvery. A changed file thus
	// changes few parts.
	cutEvery = 16
)

type partWriter struct {
	put    func(Part, []byte) error
	buf    bytes.Buffer
	files  int
	result []Part
}

func (w *partWriter) add(corpus api.Corpus, f store.FileChunks) error {
	data, err := json.Marshal(part.File{Corpus: corpus, Path: f.Path, Hash: f.Hash, Chunks: f.Chunks})
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	w.buf.Write(data)
	w.buf.WriteByte('\n')
	w.files++
	h := fnv.New32a()
	_, _ = h.Write([]byte(f.Path))
	if n := w.buf.Len(); n >= maxPart || n >= minPart && h.Sum32()%cutEvery == 0 {
		return w.cut()
	}
	return nil
}

func (w *partWriter) cut() error {
	if w.files == 0 {
		return nil
	}
	// A single thread and a fixed level produce the same bytes on every machine.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	if err != nil {
		return fmt.Errorf("compress part: %w", err)
	}
	data := e.EncodeAll(w.buf.Bytes(), nil)
	if err := e.Close(); err != nil {
		return fmt.Errorf("compress part: %w", err)
	}
	sum := sha256.Sum256(data)
	p := Part{SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data)), Files: w.files}
	w.buf.Reset()
	w.files = 0
	w.result = append(w.result, p)
	return w.put(p, data)
}
