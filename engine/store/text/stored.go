package text

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"searchmcp/engine/api"
)

// errStored is returned for a stored chunk that does not decode.
var errStored = errors.New("stored chunk is damaged")

// storedVersion begins every stored chunk.
const storedVersion = 1

// encodeStored packs what a key does not say about a chunk. zap compresses it (snappy).
func encodeStored(c api.Chunk) []byte {
	b := make([]byte, 0, len(c.Text)+128)
	b = append(b, storedVersion)
	if raw, err := hex.DecodeString(c.ContentHash); err == nil && hex.EncodeToString(raw) == c.ContentHash {
		b = appendString(append(b, 'h'), string(raw))
	} else {
		b = appendString(append(b, 's'), c.ContentHash)
	}
	b = binary.AppendUvarint(b, uint64(max(0, c.Ordinal)))
	b = appendStrings(b, c.Breadcrumb)
	b = appendStrings(b, c.Symbols)
	return appendString(b, c.Text)
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

// decodeStored reverses encodeStored; the rest of the chunk comes from its key.
func decodeStored(k Key, b []byte) (api.Chunk, error) {
	c := api.Chunk{ID: k.ID, Path: k.Path, StartLine: k.Start, EndLine: k.End, Language: k.Language}
	if len(b) < 2 || b[0] != storedVersion {
		return c, fmt.Errorf("%w: version", errStored)
	}
	form := b[1]
	d := decoder{b: b[2:]}
	c.ContentHash = d.string()
	if form == 'h' {
		c.ContentHash = hex.EncodeToString([]byte(c.ContentHash))
	}
	c.Ordinal = int(d.uvarint())
	c.Breadcrumb = d.strings()
	c.Symbols = d.strings()
	c.Text = d.string()
	if d.bad {
		return c, fmt.Errorf("%w: %s", errStored, k.Path)
	}
	return c, nil
}

type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() string {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *decoder) strings() []string {
	n := d.uvarint()
	if n > uint64(len(d.b)) { // each takes a byte at least
		d.bad = true
		return nil
	}
	var list []string
	for range n {
		list = append(list, d.string())
	}
	return list
}
