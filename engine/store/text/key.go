package text

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"

	"searchmcp/engine/api"
)

// Key is the document id of a row: the file, version and position of a chunk. A path's keys are found by prefix.
type Key struct {
	Path     string
	Hash     string // first api.IDDigits digits of the content hash
	Language string
	Start    int
	End      int
	ID       string // "": a unit or a file without chunks
	unit     int    // 1 plus the unit's number in its file; 0: a chunk or a marker
	// derived is 1 plus the chunk's ordinal if ID is derived from the ordinal (api.ChunkID), otherwise 0.
	derived int
}

func ShortHash(hash string) string { return hash[:min(len(hash), api.IDDigits)] }

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

// byOrdinal precedes the ordinal of a chunk whose ID is derived from it, and saves the ID's random bits.
const byOrdinal = '#'

// IsUnit reports whether the row is a unit, which has words and no chunk.
func (k Key) IsUnit() bool { return k.unit > 0 }

const byNumber = '@' // precedes the number of a unit

func (k Key) String() string {
	b := make([]byte, 0, len(k.Path)+api.IDDigits+len(k.Language)+40)
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
	return string(append(b, packID(k.ID)...))
}

func parseKey(s string) (Key, bool) {
	k, packed, ok := parsePlace(s)
	return k.withID(packed), ok
}

// parsePlace is like parseKey, but returns the packed ID.
func parsePlace(s string) (k Key, packed string, ok bool) {
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

func (k Key) withID(packed string) Key {
	switch {
	case k.unit > 0:
	case k.derived > 0:
		k.ID = api.ChunkID(k.Path, k.Hash, k.derived-1)
	default:
		k.ID = unpackID(packed)
	}
	return k
}

// packID shortens a UUID to 22 characters; any other ID is stored after a mark.
func packID(id string) string {
	if raw, ok := uuidBytes(id); ok {
		return base64.RawURLEncoding.EncodeToString(raw[:])
	}
	if id == "" {
		return ""
	}
	return "=" + id
}

func unpackID(s string) string {
	if rest, ok := strings.CutPrefix(s, "="); ok || s == "" {
		return rest
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(raw) != 16 {
		return s
	}
	h := hex.EncodeToString(raw)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func uuidBytes(id string) (raw [16]byte, ok bool) {
	if len(id) != 36 || strings.ContainsAny(id, "ABCDEF") {
		return raw, false
	}
	n := 0
	for i, at := range []int{0, 9, 14, 19, 24} {
		end := []int{8, 13, 18, 23, 36}[i]
		m, err := hex.Decode(raw[n:], []byte(id[at:end]))
		if n += m; err != nil || end < 36 && id[end] != '-' {
			return raw, false
		}
	}
	return raw, true
}
