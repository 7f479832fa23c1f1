package tree

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sync"

	"github.com/klauspost/compress/s2"
)

// ErrDamaged: bytes that Encode did not write for a text of that length.
var ErrDamaged = errors.New("syntax tree not readable")

// columns of an encoded tree, each a number for each node: numbers of one kind beside each other compress best.
const (
	colSymbol = iota // 0 for an error, else one more than the symbol
	colCount         // children
	colField         // and the other field that it is behind outerBits
	colGap           // bytes from where the sibling before it ends, or its parent begins, to its start
	colTail          // bytes from its start, or its last child's end, to its end; in the order in which nodes end
	columns
)

// Encode writes a tree as bytes that need neither its text nor a parser to be read, without marks and keywords (see
// node.mark): a sixth of its text. ok is false for a tree whose nodes overlap, which no parser makes.
func Encode(t *Tree) (b []byte, ok bool) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	if !e.write(t) {
		return nil, false
	}
	e.packed = s2.Encode(e.packed[:cap(e.packed)], e.raw)
	return bytes.Clone(e.packed), true // of its own size: many wait to be kept
}

// encoders keep their memory for the next tree: five or six bytes for each node before they are compressed.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

type encoder struct {
	left, ends  []uint32 // of each node: its children to come; what is written of it, its beginning or its children
	cols        [columns][]byte
	errs        []byte // errors, by how far each is behind the one before
	raw, packed []byte
}

// write has in raw what read reads.
func (e *encoder) write(t *Tree) bool {
	e.left = append(e.left[:0], make([]uint32, len(t.nodes))...)
	e.ends = append(e.ends[:0], make([]uint32, len(t.nodes))...)
	for i := 1; i < len(t.nodes); i++ {
		if x := &t.nodes[i]; !x.mark() {
			e.left[x.parent]++
		}
	}
	n, ok := e.nodes(t)
	if !ok {
		return false
	}
	e.raw = binary.AppendUvarint(e.raw[:0], n)
	for _, c := range e.cols {
		e.raw = binary.AppendUvarint(e.raw, uint64(len(c)))
	}
	for _, c := range e.cols {
		e.raw = append(e.raw, c...)
	}
	e.raw = append(e.raw, e.errs...)
	return true
}

// mark reports whether a node is a mark or a keyword that nobody asks for: half of all nodes, and text has them.
func (n *node) mark() bool {
	return n.flags&flagNamed == 0 && n.field == 0 && n.outer() == 0 && n.next == n.self+1
}

// nodes fills the columns and errs, and counts the nodes that it wrote. ok is false where nodes overlap.
func (e *encoder) nodes(t *Tree) (n uint64, ok bool) {
	symbols, counts, fields := e.cols[colSymbol][:0], e.cols[colCount][:0], e.cols[colField][:0]
	gaps, tails, errs := e.cols[colGap][:0], e.cols[colTail][:0], e.errs[:0]
	lastError := uint64(0)
	for i := range t.nodes {
		x := &t.nodes[i]
		from := uint32(0)
		if x.parent != noParent {
			if x.mark() {
				continue
			}
			from = e.ends[x.parent]
			e.ends[x.parent] = x.end
		}
		if x.start < from || x.end < x.start {
			return 0, false
		}
		if x.flags&flagError != 0 {
			errs = binary.AppendUvarint(errs, n-lastError)
			lastError = n
		}
		n++
		e.ends[i] = x.start
		symbols = add(symbols, uint32(x.symbol+1))
		counts = add(counts, e.left[i])
		fields = add(fields, uint32(x.field)|uint32(x.outer())<<outerBits)
		gaps = add(gaps, x.start-from)
		if e.left[i] > 0 {
			continue
		}
		for { // the leaf ends, and with it all whose last node it is
			if x.end < e.ends[x.self] {
				return 0, false
			}
			tails = add(tails, x.end-e.ends[x.self])
			if x.parent == noParent {
				break
			}
			x = &t.nodes[x.parent]
			if e.left[x.self]--; e.left[x.self] > 0 {
				break
			}
		}
	}
	e.cols, e.errs = [columns][]byte{symbols, counts, fields, gaps, tails}, errs
	return n, true
}

// add writes a number as read reads it; nearly all take one byte.
func add(col []byte, v uint32) []byte {
	if v < 0x80 {
		return append(col, byte(v))
	}
	return binary.AppendUvarint(col, uint64(v))
}

// outerBits hold the number of any field.
const outerBits = 7

// column reads one.
type column []byte

// number reads the next number; more than any text has bytes where there is none.
func (c *column) number() uint32 {
	if b := *c; len(b) > 0 && b[0] < 0x80 {
		*c = b[1:]
		return uint32(b[0])
	}
	v, n := binary.Uvarint(*c)
	if n <= 0 || v > maxText {
		*c = nil
		return maxText + 1
	}
	*c = (*c)[n:]
	return uint32(v)
}

// maxText bounds offsets, so that sums of two are no larger than a uint32.
const maxText = 1 << 30

// Decode reads what Encode wrote of the tree of a text of size bytes. What is not whole is ErrDamaged: nodes lie within
// each other and within the text, whatever the bytes are.
func Decode(names *Names, b []byte, size int) (*Tree, error) {
	if n, err := s2.DecodedLen(b); err != nil || n > maxRaw {
		return nil, ErrDamaged
	}
	raw, err := s2.Decode(nil, b)
	if err != nil {
		return nil, ErrDamaged
	}
	return decode(names, raw, size)
}

// maxRaw bounds what a tree's bytes may be before they are compressed, so that a length that is none asks for no
// memory: a text is at most 512 KB, and a tree some two times its text.
const maxRaw = 16 << 20

func decode(names *Names, raw []byte, size int) (*Tree, error) {
	rest := column(raw)
	n := int(rest.number())
	if n == 0 || n > len(rest) || size > maxText {
		return nil, ErrDamaged
	}
	var cols [columns]column
	var lengths [columns]int
	for i := range lengths {
		lengths[i] = int(rest.number())
	}
	for i, l := range lengths {
		if l < n || l > len(rest) {
			return nil, ErrDamaged
		}
		cols[i], rest = rest[:l], rest[l:]
	}
	t := &Tree{nodes: list(n)}
	if !t.read(names, &cols, uint32(size)) {
		t.Close()
		return nil, ErrDamaged
	}
	for at := 0; len(rest) > 0; {
		at += int(rest.number())
		if at >= n {
			t.Close()
			return nil, ErrDamaged
		}
		t.nodes[at].flags |= flagError
	}
	return t, nil
}

// read lays the nodes out. While a node is open, next is how many of its children are still to come, and end is where
// what was read of it ends.
func (t *Tree) read(names *Names, cols *[columns]column, size uint32) bool {
	open := noParent
	for i := range t.nodes {
		from := uint32(0)
		if open != noParent {
			from = t.nodes[open].end
		} else if i > 0 {
			return false
		}
		symbol, count, start := cols[colSymbol].number(), cols[colCount].number(), from+cols[colGap].number()
		if symbol > 1<<16 || start > size || int(count) >= len(t.nodes)-i {
			return false
		}
		x := &t.nodes[i]
		*x = node{
			start: start, end: start, self: uint32(i), next: count, parent: open, symbol: uint16(symbol - 1),
			flags: names.flags(uint16(symbol - 1)), language: names.Number,
		}
		fields := cols[colField].number()
		x.field = uint8(fields & (1<<outerBits - 1))
		x.flags |= uint8(fields>>outerBits) << flagOuter &^ flagNamed
		if count > 0 {
			open = uint32(i)
			continue
		}
		for {
			if x.end += cols[colTail].number(); x.end > size {
				return false
			}
			x.next = uint32(i) + 1
			if open = x.parent; open == noParent {
				break
			}
			p := &t.nodes[open]
			p.end = x.end
			if p.next--; p.next > 0 {
				break
			}
			x = p
		}
	}
	return open == noParent
}
