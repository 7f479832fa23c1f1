package text

import (
	"strconv"
	"strings"

	"searchmcp/engine/api"
)

// Key is the document id of a row: the file, version and position of a chunk. A path's keys are found by prefix.
type Key struct {
	Path     string
	Hash     string // first HashDigits digits of the content hash
	Language string
	Start    int
	End      int
	ID       string // "": a unit or a file without chunks
	unit     int    // 1 plus the unit's number in its file; 0: a chunk or a marker
	// derived is 1 plus the chunk's ordinal if ID is derived from the ordinal (api.ChunkID), otherwise 0.
	derived int
}

// HashDigits is the length of the content hash in a key.
const HashDigits = api.IDDigits

// ShortHash returns the first HashDigits digits of hash.
func ShortHash(hash string) string {
	if len(hash) > HashDigits {
		return hash[:HashDigits]
	}
	return hash
}

func KeyOf(c api.Chunk) Key {
	k := Key{
		Path: c.Path, Hash: ShortHash(c.ContentHash), Language: c.Language, Start: c.StartLine, End: c.EndLine, ID: c.ID,
	}
	if c.Ordinal >= 0 && c.ID == api.ChunkID(c.Path, c.ContentHash, c.Ordinal) {
		k.derived = c.Ordinal + 1
	}
	return k
}

const sep = "\x00" // cannot occur in a path

// byOrdinal precedes the ordinal of a chunk whose ID is derived from it. Such a key omits the ID, whose random bits
// would take most of a dictionary's space.
const byOrdinal = '#'

// IsUnit reports whether the row is a unit, which has words and no chunk.
func (k Key) IsUnit() bool { return k.unit > 0 }

const byNumber = '@' // precedes the number of a unit

func (k Key) String() string {
	b := make([]byte, 0, len(k.Path)+HashDigits+len(k.Language)+40)
	b = append(append(b, k.Path...), sep...)
	b = append(append(b, k.Hash...), sep...)
	b = append(strconv.AppendInt(b, int64(k.Start), 36), sep...)
	b = append(strconv.AppendInt(b, int64(k.End), 36), sep...)
	b = append(append(b, k.Language...), sep...)
	if k.unit > 0 {
		return string(strconv.AppendInt(append(b, byNumber), int64(k.unit-1), 36))
	}
	if k.derived > 0 {
		return string(strconv.AppendInt(append(b, byOrdinal), int64(k.derived-1), 36))
	}
	return string(append(b, k.ID...))
}

func parseKey(s string) (Key, bool) {
	k, id, ok := parsePlace(s)
	return k.withID(id), ok
}

// parsePlace parses a key without its ID, whose part of s it returns.
func parsePlace(s string) (k Key, id string, ok bool) {
	var parts [5]string
	for i := range parts {
		if parts[i], s, ok = strings.Cut(s, sep); !ok {
			return k, "", false
		}
	}
	start, err1 := strconv.ParseInt(parts[2], 36, 32)
	end, err2 := strconv.ParseInt(parts[3], 36, 32)
	if err1 != nil || err2 != nil || parts[0] == "" {
		return k, "", false
	}
	k = Key{Path: parts[0], Hash: parts[1], Start: int(start), End: int(end), Language: parts[4]}
	if len(s) == 0 || s[0] != byOrdinal && s[0] != byNumber {
		return k, s, true
	}
	n, err := strconv.ParseInt(s[1:], 36, 32)
	switch {
	case err != nil || n < 0:
		return k, "", false
	case s[0] == byNumber:
		k.unit = int(n) + 1
	default:
		k.derived = int(n) + 1
	}
	return k, s, true
}

// withID adds the ID from the part that parsePlace returned.
func (k Key) withID(id string) Key {
	switch {
	case k.unit > 0:
	case k.derived > 0:
		k.ID = api.ChunkID(k.Path, k.Hash, k.derived-1)
	default:
		k.ID = id
	}
	return k
}
