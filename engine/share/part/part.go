// Package part decodes the parts of a shared index: compressed JSON with a line for each file and its chunks. Parts are
// untrusted, so the worker decodes them. It counts the elements of a part first, because a few kilobytes can expand to
// gigabytes when they are decoded. Package part must not depend on stores.
//
// It starts no goroutine and has no lock.
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
	// PackedLimit and Limit are the maximum sizes of a part in bytes, compressed and decompressed. A part ends after 8
	// MB, its last file may have 10 MB, and JSON may double that size.
	PackedLimit, Limit = 24 << 20, 64 << 20
	// CostLimit limits the memory of a decoded part.
	CostLimit = 32 << 20
	// chunkLimit and textLimit limit the memory of a chunk and its text. A chunk usually takes a few kilobytes.
	// Indexing text in which no word repeats takes a hundred times the memory of the text.
	chunkLimit, textLimit = 512 << 10, 64 << 10
	// elementLimit limits the number of elements in a line. Each element takes at most 200 bytes when it is decoded.
	elementLimit = 400_000
)

type File struct {
	Corpus api.Corpus  `json:"corpus"`
	Path   string      `json:"path"`
	Hash   string      `json:"hash"`
	Chunks []api.Chunk `json:"chunks"`
}

// fileCost is the memory of a File without its strings and chunks.
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

// check returns an error for a file that Publish can't have written. StartLine and EndLine of an outline are 0.
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
		if c.Path != f.Path || c.ContentHash != f.Hash || c.ID == "" {
			return fmt.Errorf("%w: chunk %d of %s does not belong to it", ErrDamaged, i, f.Path)
		}
		if n := c.Size(); n > chunkLimit || len(c.Text) > textLimit {
			return fmt.Errorf("%w: chunk %d of %s takes %d bytes", ErrDamaged, i, f.Path, n)
		}
	}
	return nil
}
