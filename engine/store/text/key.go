package text

import (
	"fmt"
	"strconv"
	"strings"

	"searchmcp/engine/api"
)

// Key identifies a row of the text index by file, content hash and position. All keys of a file begin with its path.
type Key struct {
	Path     string
	Hash     string // first api.IDDigits digits of the content hash
	Language string
	kind     byte // isChunk, isOutline, isUnit, or 0 for a marker
	number   int  // position of the chunk or unit in its file
}

// Kinds of rows. A marker, the row of a file without chunks, has no kind and no number.
const (
	isChunk   = '#'
	isOutline = '!' // a chunk that describes a whole file
	isUnit    = '@'
)

func ShortHash(hash string) string { return hash[:min(len(hash), api.IDDigits)] }

func KeyOf(c api.Chunk) Key {
	k := Key{Path: c.Path, Hash: ShortHash(c.ContentHash), Language: c.Language, kind: isChunk, number: c.Ordinal}
	if c.EndLine == 0 {
		k.kind = isOutline
	}
	return k
}

const sep = "\x00" // cannot occur in a path

// IsUnit reports whether the row is a unit, which contains words instead of a chunk.
func (k Key) IsUnit() bool { return k.kind == isUnit }

func (k Key) IsChunk() bool { return k.kind == isChunk || k.kind == isOutline }

func (k Key) IsOutline() bool { return k.kind == isOutline }

// ID returns the ID of a chunk.
func (k Key) ID() string { return api.ChunkID(k.Path, k.Hash, k.number) }

// String returns the ID of the row. IDs of a file differ only in their last characters, which keeps the dictionary of
// IDs small.
func (k Key) String() string {
	b := make([]byte, 0, len(k.Path)+api.IDDigits+len(k.Language)+20)
	b = append(append(b, k.Path...), sep...)
	b = append(append(b, k.Hash...), sep...)
	b = append(append(b, k.Language...), sep...)
	if k.kind != 0 {
		b = strconv.AppendInt(append(b, k.kind), int64(k.number), 36)
	}
	return string(b)
}

func parseKey(s string) (k Key, err error) {
	parts := strings.Split(s, sep)
	if len(parts) != 4 || parts[0] == "" {
		return k, fmt.Errorf("%w: row with an invalid key", ErrCorrupt)
	}
	k = Key{Path: parts[0], Hash: parts[1], Language: parts[2]}
	if n := parts[3]; n != "" {
		number, err := strconv.ParseUint(n[1:], 36, 31)
		k.kind, k.number = n[0], int(number)
		if err != nil || !k.IsChunk() && !k.IsUnit() {
			return k, fmt.Errorf("%w: row with an invalid key", ErrCorrupt)
		}
	}
	return k, nil
}
