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
	Start    int
	End      int
	kind     byte // isChunk, isUnit, or 0 for a marker
	number   int  // position of the chunk or unit in its file
}

// Kinds of rows. A marker, the row of a file without chunks, has no kind and no number.
const (
	isChunk = '#'
	isUnit  = '@'
)

func ShortHash(hash string) string { return hash[:min(len(hash), api.IDDigits)] }

func KeyOf(c api.Chunk) Key {
	return Key{
		Path: c.Path, Hash: ShortHash(c.ContentHash), Language: c.Language, Start: c.StartLine, End: c.EndLine,
		kind: isChunk, number: c.Ordinal,
	}
}

const sep = "\x00" // cannot occur in a path

// IsUnit reports whether the row is a unit, which contains words instead of a chunk.
func (k Key) IsUnit() bool { return k.kind == isUnit }

func (k Key) IsChunk() bool { return k.kind == isChunk }

// ID returns the ID of a chunk.
func (k Key) ID() string { return api.ChunkID(k.Path, k.Hash, k.number) }

func (k Key) String() string {
	b := make([]byte, 0, len(k.Path)+api.IDDigits+len(k.Language)+40)
	b = append(append(b, k.Path...), sep...)
	b = append(append(b, k.Hash...), sep...)
	b = append(strconv.AppendInt(b, int64(k.Start), 36), sep...)
	b = append(strconv.AppendInt(b, int64(k.End), 36), sep...)
	b = append(append(b, k.Language...), sep...)
	if k.kind != 0 {
		b = strconv.AppendInt(append(b, k.kind), int64(k.number), 36)
	}
	return string(b)
}

func parseKey(s string) (k Key, err error) {
	parts := strings.Split(s, sep)
	if len(parts) != 6 || parts[0] == "" {
		return k, fmt.Errorf("%w: row with an invalid key", ErrCorrupt)
	}
	start, err1 := strconv.ParseUint(parts[2], 36, 31)
	end, err2 := strconv.ParseUint(parts[3], 36, 31)
	k = Key{Path: parts[0], Hash: parts[1], Start: int(start), End: int(end), Language: parts[4]}
	var err3 error
	if n := parts[5]; n != "" {
		var number uint64
		number, err3 = strconv.ParseUint(n[1:], 36, 31)
		k.kind, k.number = n[0], int(number)
	}
	if err1 != nil || err2 != nil || err3 != nil || k.kind != 0 && k.kind != isChunk && k.kind != isUnit {
		return k, fmt.Errorf("%w: row with an invalid key", ErrCorrupt)
	}
	return k, nil
}
