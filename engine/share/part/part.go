// Package part decodes the parts of a shared index. A part is compressed JSON with one line per file, which contains
// the file's chunks.
//
// Parts are untrusted, so a worker decodes them. Read counts the JSON elements of a line before it decodes the line,
// because a few kilobytes could expand to gigabytes.
//
// The package must not depend on stores. It starts no goroutine and has no lock.
package part

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"

	"github.com/klauspost/compress/zstd"

	"searchmcp/engine/api"
)

var ErrDamaged = errors.New("shared index is damaged")

const (
	// PackedLimit is the maximum size of a compressed part in bytes.
	PackedLimit = 24 << 20
	// Limit is the maximum size of a decompressed part in bytes. A part has up to 8 MB before its last file. That file
	// may have 10 MB, and JSON may double its size.
	Limit = 64 << 20
	// CostLimit limits the memory of a decoded part of a shared index, in bytes.
	CostLimit = 32 << 20
	// chunkLimit is the maximum memory of a chunk in bytes. Most chunks take a few kilobytes.
	chunkLimit = 512 << 10
	// textLimit is the maximum size of a chunk's text, and of its breadcrumb, in bytes. An index takes up to 100 times as
	// much memory as the text.
	textLimit = 64 << 10
	// elementLimit is the maximum number of JSON elements in a line. A decoded element takes at most 200 bytes.
	elementLimit = 400_000
)

type File struct {
	Corpus api.Corpus  `json:"corpus"`
	Path   string      `json:"path"`
	Hash   string      `json:"hash"`
	Chunks []api.Chunk `json:"chunks"`
}

// fileCost is the memory of a File in bytes, without its strings and chunks.
const fileCost = 200

func (f *File) Cost() int {
	n := fileCost + len(f.Path) + len(f.Hash)
	for i := range f.Chunks {
		n += f.Chunks[i].Size()
	}
	return n
}

func Read(data []byte) ([]File, error) {
	d, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(Limit))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer d.Close()
	r := bufio.NewReader(io.LimitReader(d, Limit))
	var files []File
	for left := CostLimit; ; {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: read part: %w", ErrDamaged, err)
		}
		if Elements(text) > elementLimit {
			return nil, fmt.Errorf("%w: more than %d elements of a file", ErrDamaged, elementLimit)
		}
		var f File
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("%w: read part: %w", ErrDamaged, err)
		}
		if err := f.check(); err != nil {
			return nil, err
		}
		if left -= f.Cost(); left < 0 {
			return nil, fmt.Errorf("%w: the files of a part take more than %d MB", ErrDamaged, CostLimit>>20)
		}
		files = append(files, f)
	}
}

func Elements(text []byte) int {
	n, quoted := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			n++
		}
	}
	return n
}

// check returns an error if a field of f is invalid.
func (f *File) check() error {
	if f.Corpus != api.CorpusCode && f.Corpus != api.CorpusDocs {
		return fmt.Errorf("%w: corpus %q", ErrDamaged, f.Corpus)
	}
	odd := func(r rune) bool { return unicode.IsControl(r) || r == '\\' || r == unicode.ReplacementChar }
	if !fs.ValidPath(f.Path) || f.Path == "." || strings.ContainsFunc(f.Path, odd) {
		return fmt.Errorf("%w: path %q", ErrDamaged, f.Path)
	}
	if len(f.Hash) != 64 || strings.Trim(f.Hash, "0123456789abcdef") != "" {
		return fmt.Errorf("%w: hash %q", ErrDamaged, f.Hash)
	}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if c.StartLine < 0 || c.EndLine < c.StartLine || c.Ordinal < 0 {
			return fmt.Errorf("%w: lines %d to %d of %s", ErrDamaged, c.StartLine, c.EndLine, f.Path)
		}
		if c.Path != f.Path || c.ContentHash != f.Hash || c.ID != api.ChunkID(f.Path, f.Hash, c.Ordinal) {
			return fmt.Errorf("%w: chunk %d of %s does not belong to it", ErrDamaged, i, f.Path)
		}
		if n := c.Size(); n > chunkLimit || max(len(c.Text), len(strings.Join(c.Breadcrumb, ""))) > textLimit {
			return fmt.Errorf("%w: chunk %d of %s takes %d bytes", ErrDamaged, i, f.Path, n)
		}
	}
	return nil
}
