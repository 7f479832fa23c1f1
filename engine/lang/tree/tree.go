// Package tree defines syntax trees for the rules of package lang. A tree is a list of nodes without text. Package
// treesitter creates trees with C code, and Decode reads encoded trees.
//
// It must not depend on languages, except for the names of their node types and fields (names.txt).
//
// It starts no goroutines. A tree is used by one goroutine. Names are shared.
package tree

import (
	"errors"
	"sync"
	"unsafe"
)

// ErrTimeLimit means that a parse took longer than its limit.
var ErrTimeLimit = errors.New("parse: time limit")

// Parse returns the syntax tree of a document, which the caller closes. It may return ErrTimeLimit.
type Parse func(language, text string) (*Tree, error)

// Tree is a syntax tree, used by one goroutine. Its nodes are valid until Close.
type Tree struct {
	nodes []node // in preorder
}

// Node is a node of a tree, a half-open range of bytes. Methods return nil if there is no such node. A nil Node has no
// type and no children.
type Node = *node

// node has no pointers, so that the garbage collector skips trees. Its layout is that of flat_node in package
// treesitter.
type node struct {
	start, end uint32
	self, next uint32 // index of the node; index after its last descendant
	parent     uint32 // noParent for the root
	symbol     uint16
	field      uint8
	flags      uint8
	language   uint8 // Names.Number
}

const (
	noParent = ^uint32(0)
	isError  = ^uint16(0) // symbol of text that was not parsed

	flagError uint8 = 1      // the node is or contains an error
	flagOuter       = 1      // bit offset of the second field (see outer)
	flagNamed uint8 = 1 << 7 // highest bit
)

// Raw is a node as a parser returns it.
type Raw = node

// pool contains unused lists of nodes. Most files need a few thousand nodes.
var pool sync.Pool

func list(n int) []node {
	if kept, ok := pool.Get().(*[]node); ok && cap(*kept) >= n {
		return (*kept)[:n]
	}
	return make([]node, n)
}

// New returns a tree with a copy of raw.
func New(raw []Raw) *Tree {
	t := &Tree{nodes: list(len(raw))}
	copy(t.nodes, raw)
	return t
}

// maxPooled is the maximum length of a pooled list, enough for a file of 100 KB.
const maxPooled = 1 << 15

// Close releases the nodes. It may be called twice.
func (t *Tree) Close() {
	if cap(t.nodes) > 0 && cap(t.nodes) <= maxPooled {
		kept := t.nodes
		pool.Put(&kept)
	}
	t.nodes = nil
}

func (t *Tree) Root() Node { return &t.nodes[0] }

func (n *node) StartByte() uint32 { return n.start }

func (n *node) EndByte() uint32 { return n.end }

// Symbol returns the index of the node's type in Names.Types. For an error it returns an invalid index.
func (n *node) Symbol() int { return int(n.symbol) }

func (n *node) Type() string {
	if n == nil {
		return ""
	}
	if types := numbered[n.language].Types; int(n.symbol) < len(types) {
		return types[n.symbol].Name
	}
	return "ERROR"
}

// IsError reports whether the parser failed to parse the node's text.
func (n *node) IsError() bool { return n.symbol == isError }

// HasError reports whether the node is or contains an error.
func (n *node) HasError() bool { return n.flags&flagError != 0 }

func (n *node) at(place uint32) Node {
	return (*node)(unsafe.Add(unsafe.Pointer(n), (int(place)-int(n.self))*int(unsafe.Sizeof(*n))))
}

func (n *node) Parent() Node {
	if n.parent == noParent {
		return nil
	}
	return n.at(n.parent)
}

// FirstChild returns the first child, which may be punctuation or a keyword.
func (n *node) FirstChild() Node {
	if n == nil || n.next == n.self+1 {
		return nil
	}
	return n.at(n.self + 1)
}

// NextSibling returns the next child of the parent, which may be punctuation or a keyword.
func (n *node) NextSibling() Node {
	if n.parent == noParent || n.next >= n.at(n.parent).next {
		return nil
	}
	return n.at(n.next)
}

// ChildByFieldName returns the first child in a field, such as "name".
func (n *node) ChildByFieldName(field string) Node {
	if n == nil {
		return nil
	}
	id := numbered[n.language].Fields[field]
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if id > 0 && (c.field == id || c.outer() == id) {
			return c
		}
	}
	return nil
}

// outer returns the number of a second field that contains the node, or 0. tree-sitter can put a node into two fields.
func (n *node) outer() uint8 { return (n.flags &^ flagNamed) >> flagOuter }

// IsNamed reports whether the node is neither punctuation nor a keyword.
func (n *node) IsNamed() bool { return n.flags&flagNamed != 0 }

func (n *node) NamedChild(i int) Node {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.IsNamed() {
			if i == 0 {
				return c
			}
			i--
		}
	}
	return nil
}

// Named returns the smallest named node that contains a range of bytes, or n.
func (n *node) Named(start, end int) Node {
	from, to := uint32(start), uint32(end)
	best := n
	for c := n.FirstChild(); c != nil; {
		switch {
		case c.end < to || c.end <= from:
			c = c.NextSibling()
		case from < c.start:
			return best
		default:
			if c.IsNamed() {
				best = c
			}
			c = c.FirstChild()
		}
	}
	return best
}
