package share

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"strings"
	"unicode"

	"github.com/klauspost/compress/zstd"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

// Sizes of a part before compression, bytes. A part ends at a path whose hash says so, one in cutEvery, when it has
// minPart, and in any case at maxPart: so it does not depend on what comes before it, and a change makes few new
// objects.
const (
	minPart  = 1 << 20
	maxPart  = 8 << 20
	cutEvery = 16
	// partLimit is what a reader accepts of one part, compressed or not: a file's chunks are at most 10 MB of text
	// (maxFileSize) on top of maxPart, and JSON may double that.
	partLimit = 64 << 20
)

// line is one file in a part.
type line struct {
	Corpus api.Corpus  `json:"corpus"`
	Path   string      `json:"path"`
	Hash   string      `json:"hash"`
	Chunks []api.Chunk `json:"chunks"`
}

// partWriter cuts files into parts and hands each to put.
type partWriter struct {
	put    func(Part, []byte) error
	buf    bytes.Buffer
	files  int
	result []Part
}

func (w *partWriter) add(corpus api.Corpus, f store.FileChunks) error {
	data, err := json.Marshal(line{corpus, f.Path, f.Hash, f.Chunks})
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	w.buf.Write(data)
	w.buf.WriteByte('\n')
	w.files++
	h := fnv.New32a()
	_, _ = h.Write([]byte(f.Path)) // never fails
	if n := w.buf.Len(); n >= maxPart || n >= minPart && h.Sum32()%cutEvery == 0 {
		return w.cut()
	}
	return nil
}

// cut ends the part, if it has anything.
func (w *partWriter) cut() error {
	if w.files == 0 {
		return nil
	}
	// One thread and a fixed level: the same files make the same object on every machine.
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

// readPart calls visit for each file of a part after checking it.
func readPart(data []byte, visit func(api.Corpus, store.FileChunks) error) error {
	d, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(partLimit))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer d.Close()
	r := bufio.NewReader(io.LimitReader(d, partLimit))
	for {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: read part: %w", ErrDamaged, err)
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("%w: read part: %w", ErrDamaged, err)
		}
		if err := l.check(); err != nil {
			return err
		}
		if err := visit(l.Corpus, store.FileChunks{Path: l.Path, Hash: l.Hash, Chunks: l.Chunks}); err != nil {
			return err
		}
	}
}

// check refuses what no publication of ours contains. A store refuses chunks that are not their file's. An outline has
// lines 0 to 0.
func (l *line) check() error {
	if l.Corpus != api.CorpusCode && l.Corpus != api.CorpusDocs {
		return fmt.Errorf("%w: corpus %q", ErrDamaged, l.Corpus)
	}
	odd := func(r rune) bool { return unicode.IsControl(r) || r == '\\' || r == unicode.ReplacementChar }
	if !fs.ValidPath(l.Path) || l.Path == "." || strings.ContainsFunc(l.Path, odd) {
		return fmt.Errorf("%w: path %q", ErrDamaged, l.Path)
	}
	for _, c := range l.Chunks {
		if c.StartLine < 0 || c.EndLine < c.StartLine || c.Ordinal < 0 {
			return fmt.Errorf("%w: lines %d to %d of %s", ErrDamaged, c.StartLine, c.EndLine, l.Path)
		}
	}
	return nil
}
