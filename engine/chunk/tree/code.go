package tree

import (
	"encoding/binary"
	"errors"
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

// Encode writes a tree as bytes that need neither its text nor a parser to be read: five or six for each node before
// they are compressed. ok is false for a tree whose nodes overlap, which no parser makes.
func Encode(t *Tree) (b []byte, ok bool) {
	n := len(t.nodes)
	counts := make([]uint32, n)
	for i := 1; i < n; i++ {
		counts[t.nodes[i].parent]++
	}
	var cols [columns][]byte
	for i := range cols {
		cols[i] = make([]byte, 0, n+n/8)
	}
	ends := make([]uint32, n) // of what is written of each node: its beginning, or its children
	for i := range t.nodes {
		x := &t.nodes[i]
		from := uint32(0)
		if x.parent != noParent {
			from = ends[x.parent]
			ends[x.parent] = x.end
		}
		if x.start < from || x.end < x.start {
			return nil, false
		}
		ends[i] = x.start
		cols[colSymbol] = binary.AppendUvarint(cols[colSymbol], uint64(x.symbol+1))
		cols[colCount] = binary.AppendUvarint(cols[colCount], uint64(counts[i]))
		cols[colField] = binary.AppendUvarint(cols[colField], uint64(x.field)|uint64(x.outer())<<outerBits)
		cols[colGap] = binary.AppendUvarint(cols[colGap], uint64(x.start-from))
		if counts[i] > 0 {
			continue
		}
		for { // the leaf ends, and with it all whose last node it is
			if x.end < ends[x.self] {
				return nil, false
			}
			cols[colTail] = binary.AppendUvarint(cols[colTail], uint64(x.end-ends[x.self]))
			if x.parent == noParent || x.next < t.nodes[x.parent].next {
				break
			}
			x = &t.nodes[x.parent]
		}
	}
	b = binary.AppendUvarint(make([]byte, 0, columns*(n+n/8)), uint64(n))
	for _, c := range cols {
		b = binary.AppendUvarint(b, uint64(len(c)))
	}
	for _, c := range cols {
		b = append(b, c...)
	}
	before := 0
	for i := range t.nodes { // errors, by how far each is behind the one before
		if t.nodes[i].flags&flagError != 0 {
			b = binary.AppendUvarint(b, uint64(i-before))
			before = i
		}
	}
	return b, true
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
	rest := column(b)
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
	t := &Tree{names: names, nodes: list(n)}
	if !t.read(&cols, uint32(size)) {
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
func (t *Tree) read(cols *[columns]column, size uint32) bool {
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
			t: t, start: start, end: start, self: uint32(i), next: count, parent: open, symbol: uint16(symbol - 1),
			flags: t.names.flags(uint16(symbol - 1)),
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
