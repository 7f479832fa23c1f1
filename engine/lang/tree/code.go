package tree

import (
	"encoding/binary"
	"errors"
)

// ErrDamaged means that an encoded tree can't be read.
var ErrDamaged = errors.New("syntax tree not readable")

const (
	// maxText is the maximum offset. The sum of two offsets fits into a uint32.
	maxText   = 1 << 30
	outerBits = 7
	// Numbers of a node: symbol and error flag, number of children, fields, offset from the previous node, and length.
	perNode = 5
)

// Encode encodes a tree without unused punctuation and keywords. ok is false if nodes overlap.
func Encode(t *Tree) (b []byte, ok bool) {
	children, ends := make([]uint32, len(t.nodes)), make([]uint32, len(t.nodes))
	count := uint64(1)
	for i := 1; i < len(t.nodes); i++ {
		if x := &t.nodes[i]; !x.mark() {
			children[x.parent]++
			count++
		}
	}
	b = binary.AppendUvarint(make([]byte, 0, perNode*count+binary.MaxVarintLen64), count)
	for i := range t.nodes {
		x := &t.nodes[i]
		from := uint32(0)
		if x.parent != noParent {
			if x.mark() {
				continue
			}
			if x.end > t.nodes[x.parent].end {
				return nil, false
			}
			from, ends[x.parent] = ends[x.parent], x.end
		}
		if x.start < from || x.end < x.start {
			return nil, false
		}
		ends[i] = x.start
		symbol := uint32(x.symbol+1) << 1 // an error is 0
		if x.flags&flagError != 0 {
			symbol |= 1
		}
		for _, v := range [perNode]uint32{symbol, children[i], uint32(x.field) | uint32(x.outer())<<outerBits,
			x.start - from, x.end - x.start} {
			b = binary.AppendUvarint(b, uint64(v))
		}
	}
	return b, true
}

// mark reports whether a node is punctuation or a keyword that no rule uses.
func (n *node) mark() bool {
	return n.flags&flagNamed == 0 && n.field == 0 && n.outer() == 0 && n.next == n.self+1
}

type numbers []byte

// next returns the next number, or more than maxText if it is invalid.
func (c *numbers) next() uint32 {
	v, n := binary.Uvarint(*c)
	if n <= 0 || v > maxText {
		*c = nil
		return maxText + 1
	}
	*c = (*c)[n:]
	return uint32(v)
}

// Decode decodes a tree that Encode wrote for a document of size bytes. It returns ErrDamaged for other bytes.
func Decode(names *Names, b []byte, size int) (*Tree, error) {
	rest := numbers(b)
	n := int(rest.next())
	if n == 0 || n > len(rest)/perNode || size > maxText || size < 0 {
		return nil, ErrDamaged
	}
	t := &Tree{nodes: list(n)}
	if !t.read(names, &rest, uint32(size)) || len(rest) > 0 {
		t.Close()
		return nil, ErrDamaged
	}
	return t, nil
}

// opened is a node whose children are being decoded.
type opened struct{ node, left, at uint32 }

func (t *Tree) read(names *Names, rest *numbers, size uint32) bool {
	open := []opened{{node: noParent, left: 1}}
	for i := range t.nodes {
		if len(open) == 0 {
			return false
		}
		in := &open[len(open)-1]
		symbol, count, fields := rest.next(), rest.next(), rest.next()
		start := in.at + rest.next()
		if start > size || symbol>>1 > 1<<16 || int(count) >= len(t.nodes)-i {
			return false
		}
		end, limit := start+rest.next(), size
		if in.node != noParent {
			limit = t.nodes[in.node].end
		}
		if end > limit {
			return false
		}
		x := &t.nodes[i]
		*x = node{
			start: start, end: end, self: uint32(i), parent: in.node, symbol: uint16(symbol>>1 - 1),
			flags: names.flags(uint16(symbol>>1 - 1)), language: names.Number,
		}
		x.field = uint8(fields & (1<<outerBits - 1))
		x.flags |= uint8(fields>>outerBits) << flagOuter &^ flagNamed
		if symbol&1 != 0 {
			x.flags |= flagError
		}
		in.at = end
		in.left--
		open = append(open, opened{uint32(i), count, start})
		for len(open) > 0 && open[len(open)-1].left == 0 { // all children are decoded
			if last := open[len(open)-1].node; last != noParent {
				t.nodes[last].next = uint32(i) + 1
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}
