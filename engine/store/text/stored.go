package text

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"searchmcp/engine/api"
)

var errStored = errors.New("stored chunk is damaged")

// Form is the first byte of a stored chunk. Rows of the form undeclared have no declarations. Older programs refuse an
// index of a newer form.
const (
	undeclared = 1
	Form       = 2
)

// encodeStored encodes the fields of a chunk that its key lacks.
func encodeStored(c api.Chunk) []byte {
	b := make([]byte, 0, len(c.Text)+128)
	b = append(b, Form)
	if raw, err := hex.DecodeString(c.ContentHash); err == nil && hex.EncodeToString(raw) == c.ContentHash {
		b = appendString(append(b, 'h'), string(raw))
	} else {
		b = appendString(append(b, 's'), c.ContentHash)
	}
	b = binary.AppendUvarint(b, uint64(max(0, c.Ordinal)))
	b = appendStrings(b, c.Breadcrumb)
	b = appendStrings(b, c.Symbols)
	b = appendString(b, c.Text)
	return appendDecls(b, c.Decls) // after the text, where snappy finds most of their words
}

func appendDecls(b []byte, decls []api.Decl) []byte {
	b = binary.AppendUvarint(b, uint64(len(decls)))
	for _, d := range decls {
		b = appendStrings(appendString(b, d.Signature), d.Scope)
		b = appendString(appendString(b, d.Name), d.Kind)
		for _, n := range []int{d.Start, d.Line - d.Start, d.End - d.Line} {
			b = binary.AppendUvarint(b, uint64(max(0, n)))
		}
	}
	return b
}

// encodeUnit encodes a unit. It omits the lines, which are in the key, and chunk IDs that are derived from their
// ordinals.
func encodeUnit(u Unit, chunks []api.Chunk) []byte {
	var decls []api.Decl
	if u.Decl.Line > 0 {
		decls = []api.Decl{u.Decl}
	}
	b := appendStrings(appendDecls(nil, decls), u.Names)
	first := slices.IndexFunc(chunks, func(c api.Chunk) bool { return c.ID == u.Chunks[0] })
	for i, id := range u.Chunks {
		if first+i >= len(chunks) || id != chunks[first+i].ID || KeyOf(chunks[first+i]).derived != first+i+1 {
			return appendStrings(append(b, 's'), u.Chunks)
		}
	}
	return binary.AppendUvarint(binary.AppendUvarint(append(b, 'o'), uint64(first)), uint64(len(u.Chunks)))
}

const maxUnitChunks = 1 << 16 // rejects the number in a damaged row

func decodeUnit(k Key, b []byte) (Unit, error) {
	d := decoder{b: string(b)}
	u := Unit{Start: k.Start, End: k.End}
	for _, decl := range d.decls() {
		u.Decl = decl
	}
	u.Names = d.strings()
	form := byte(0)
	if d.bad = d.bad || d.b == ""; !d.bad {
		form, d.b = d.b[0], d.b[1:]
	}
	switch form {
	case 's':
		u.Chunks = d.strings()
	case 'o':
		first, n := d.uvarint(), d.uvarint()
		if d.bad = d.bad || n > maxUnitChunks; !d.bad {
			for i := range n {
				u.Chunks = append(u.Chunks, api.ChunkID(k.Path, k.Hash, int(first+i)))
			}
		}
	default:
		d.bad = true
	}
	if d.bad {
		return u, fmt.Errorf("%w: unit of %s", errStored, k.Path)
	}
	return u, nil
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

func decodeStored(k Key, b []byte) (api.Chunk, error) {
	c := api.Chunk{ID: k.ID, Path: k.Path, StartLine: k.Start, EndLine: k.End, Language: k.Language}
	switch {
	case len(b) < 2 || b[0] < undeclared:
		return c, fmt.Errorf("%w: form", errStored)
	case b[0] > Form:
		return c, fmt.Errorf("%w: form %d, this program knows %d", ErrNewer, b[0], Form)
	}
	form := b[1]
	d := decoder{b: string(b[2:])}
	c.ContentHash = d.string()
	if form == 'h' {
		c.ContentHash = hex.EncodeToString([]byte(c.ContentHash))
	}
	c.Ordinal = int(d.uvarint())
	c.Breadcrumb = d.strings()
	c.Symbols = d.strings()
	c.Text = d.string()
	if b[0] == Form {
		c.Decls = d.decls()
	}
	if d.bad {
		return c, fmt.Errorf("%w: %s", errStored, k.Path)
	}
	return c, nil
}

const declBytes = 7

// decoder returns strings that share the row's memory.
type decoder struct {
	b   string
	bad bool
}

func (d *decoder) uvarint() (v uint64) {
	for i := 0; i < len(d.b) && i < binary.MaxVarintLen64; i++ {
		v |= uint64(d.b[i]&0x7f) << (7 * i)
		if d.b[i] < 0x80 {
			d.b = d.b[i+1:]
			return v
		}
	}
	d.bad, d.b = true, ""
	return 0
}

func (d *decoder) decls() []api.Decl {
	n := d.uvarint()
	if d.bad = d.bad || n > uint64(len(d.b)/declBytes); d.bad || n == 0 {
		return nil
	}
	list := make([]api.Decl, 0, n)
	for range n {
		one := api.Decl{Signature: d.string(), Scope: d.strings(), Name: d.string(), Kind: d.string()}
		one.Start = int(d.uvarint())
		one.Line = one.Start + int(d.uvarint())
		one.End = one.Line + int(d.uvarint())
		list = append(list, one)
	}
	return list
}

func (d *decoder) string() string {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, ""
		return ""
	}
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}

func (d *decoder) strings() []string {
	n := d.uvarint()
	if n > uint64(len(d.b)) { // each element takes at least a byte
		d.bad = true
		return nil
	}
	var list []string
	for range n {
		list = append(list, d.string())
	}
	return list
}
