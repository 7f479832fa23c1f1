// Package tree defines the syntax trees that the rules of package lang read: lists of nodes without text. Package
// treesitter makes them from text with C; Decode makes them from bytes that Encode wrote, without C.
//
// It must not know languages but by the names of their nodes (names.txt).
//
// Goroutines: none. A tree belongs to one goroutine; Names are shared.
package tree

import (
	"errors"
	"sync"
	"unsafe"
)

// ErrTimeLimit: a parse took longer than its limit.
var ErrTimeLimit = errors.New("parse: time limit")

// Language is one language's parser. It is safe for use by many goroutines.
type Language interface {
	Names() *Names
	// Parse returns the syntax tree of text, which the caller closes. The one error is ErrTimeLimit, or one that wraps
	// what else kept the parser from ending.
	Parse(text string) (*Tree, error)
}

// Tree is a syntax tree. It belongs to one goroutine, and what it hands out ends with Close.
type Tree struct {
	nodes []node // each before those below it, the root first
}

// Node is a node of a tree: one half-open range of bytes of the text. Methods that return a Node return nil for none.
type Node = *node

// node has no pointer, so that the collector reads no tree: others are found by their distance in the list. Its layout
// is flat_node's of package treesitter.
type node struct {
	start, end uint32
	self, next uint32 // its place in the list; that behind the last node below it
	parent     uint32 // noParent for the root
	symbol     uint16
	field      uint8
	flags      uint8
	language   uint8 // Names.Number
}

const (
	noParent = ^uint32(0)
	isError  = ^uint16(0) // the symbol of what a parser could not make out

	flagError uint8 = 1      // it is an error or has one below it
	flagOuter       = 1      // bits before another field that it is
	flagNamed uint8 = 1 << 7 // no grammar has 64 fields
)

// Raw is a node as a parser lists it.
type Raw = node

// pool keeps lists of nodes: a file of common size has some thousand.
var pool sync.Pool

func list(n int) []node {
	if kept, ok := pool.Get().(*[]node); ok && cap(*kept) >= n {
		return (*kept)[:n]
	}
	return make([]node, n)
}

// New makes a tree of the nodes that a parser lists; there is at least the root.
func New(raw []Raw) *Tree {
	t := &Tree{nodes: list(len(raw))}
	copy(t.nodes, raw)
	return t
}

// maxPooled bounds the lists that are kept for the next tree, in nodes: those of a file of 100 KB.
const maxPooled = 1 << 15

// Close gives the nodes up. It may be called twice.
func (t *Tree) Close() {
	if cap(t.nodes) > 0 && cap(t.nodes) <= maxPooled {
		kept := t.nodes
		pool.Put(&kept)
	}
	t.nodes = nil
}

// Root returns the node that contains all others.
func (t *Tree) Root() Node { return &t.nodes[0] }

// StartByte is where the node begins.
func (n *node) StartByte() uint32 { return n.start }

// EndByte is where the node ends.
func (n *node) EndByte() uint32 { return n.end }

// Symbol is the number of the node's type in Names.Types; an error's lies outside of it.
func (n *node) Symbol() int { return int(n.symbol) }

// Type is the name of the node's type.
func (n *node) Type() string { return numbered[n.language].typeOf(n.symbol) }

// IsError reports whether the parser failed to parse the node's text.
func (n *node) IsError() bool { return n.symbol == isError }

// HasError reports whether it is or contains an error.
func (n *node) HasError() bool { return n.flags&flagError != 0 }

// at is a node by its place in the list, which is one of the tree's.
func (n *node) at(place uint32) Node {
	return (*node)(unsafe.Add(unsafe.Pointer(n), (int(place)-int(n.self))*int(unsafe.Sizeof(*n))))
}

// Parent is the node around it.
func (n *node) Parent() Node {
	if n.parent == noParent {
		return nil
	}
	return n.at(n.parent)
}

// FirstChild is the first node below it, punctuation and keywords counted.
func (n *node) FirstChild() Node {
	if n.next == n.self+1 {
		return nil
	}
	return n.at(n.self + 1)
}

// NextSibling is the next node with the same parent, punctuation and keywords counted.
func (n *node) NextSibling() Node {
	if n.parent == noParent || n.next >= n.at(n.parent).next {
		return nil
	}
	return n.at(n.next)
}

// ChildByFieldName is the first child that is a field of the node.
func (n *node) ChildByFieldName(field string) Node {
	id := numbered[n.language].field(field)
	if id == 0 {
		return nil
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.field == id || c.outer() == id {
			return c
		}
	}
	return nil
}

// outer is another field that the node is, besides field.
func (n *node) outer() uint8 { return (n.flags &^ flagNamed) >> flagOuter }

// NamedChild is a child by its place among the named ones, which all but punctuation and keywords are.
func (n *node) NamedChild(i int) Node {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.flags&flagNamed == 0 {
			continue
		}
		if i == 0 {
			return c
		}
		i--
	}
	return nil
}

// NamedChildCount is the number of named children.
func (n *node) NamedChildCount() int {
	count := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.flags&flagNamed != 0 {
			count++
		}
	}
	return count
}

// Named returns the smallest named node that contains the bytes from start to end, the node itself if none below does.
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
			if c.flags&flagNamed != 0 {
				best = c
			}
			c = c.FirstChild()
		}
	}
	return best
}
