package text

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"searchmcp/engine/api"
)

// OldForm is the oldest version of the row format that can be read. An index with such rows answers queries until it is
// rebuilt.
const OldForm = 2

const (
	oldDeclBytes  = 7       // minimum size of a declaration in bytes
	oldUnitChunks = 1 << 16 // maximum number of chunks of a unit
)

// oldRow decodes a row in the format OldForm. Strings share the row's memory.
type oldRow struct {
	b   string
	bad bool
}

func (r *oldRow) number() (v int) {
	n, size := binary.Uvarint([]byte(r.b[:min(len(r.b), binary.MaxVarintLen64)]))
	if r.bad = r.bad || size <= 0 || n > 1<<31; r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *oldRow) string() string {
	n := r.number()
	if r.bad = r.bad || n > len(r.b); r.bad {
		return ""
	}
	s := r.b[:n]
	r.b = r.b[n:]
	return s
}

// count reads the number of the elements that follow, which have at least size bytes each.
func (r *oldRow) count(size int) int {
	n := r.number()
	if r.bad = r.bad || n > len(r.b)/size; r.bad {
		return 0
	}
	return n
}

func (r *oldRow) strings() (list []string) {
	for range r.count(1) {
		list = append(list, r.string())
	}
	return list
}

func (r *oldRow) decls() (list []api.Decl) {
	for range r.count(oldDeclBytes) {
		d := api.Decl{Signature: r.string(), Scope: r.strings(), Name: r.string(), Kind: r.string()}
		d.Start = r.number()
		d.Line = d.Start + r.number()
		d.End = d.Line + r.number()
		list = append(list, d)
	}
	return list
}

func decodeOld(k Key, b []byte, row any) error {
	r := oldRow{b: string(b)}
	switch row := row.(type) {
	case *api.Chunk:
		r.number() // skips the format version
		kind := r.number()
		if row.ContentHash = r.string(); kind == 'h' {
			row.ContentHash = hex.EncodeToString([]byte(row.ContentHash))
		}
		row.Ordinal, row.Breadcrumb, row.Symbols = r.number(), r.strings(), r.strings()
		row.Text, row.Decls = r.string(), r.decls()
		row.StartLine, row.EndLine = k.Start, k.End
	case *Unit:
		for _, d := range r.decls() {
			row.Decl = d
		}
		row.Names, row.Start, row.End = r.strings(), k.Start, k.End
		r.bad = r.bad || r.number() != 'o'
		first, n := r.number(), r.number()
		for i := range min(n, oldUnitChunks) {
			row.Chunks = append(row.Chunks, first+i)
		}
	}
	if r.bad {
		return fmt.Errorf("%w: row of %s", errStored, k.Path)
	}
	return nil
}
