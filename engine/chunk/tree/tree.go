// Package tree is what chunk's rules need of a parser: languages with their types of node, and syntax trees. Package
// treesitter implements it with C; the rules themselves stay pure Go. It imports nothing.
package tree

import "errors"

// ErrTimeLimit: a parse took longer than its limit.
var ErrTimeLimit = errors.New("parse: time limit")

// Language is one language's parser. It is safe for use by many goroutines.
type Language interface {
	// Types lists the types of node by their number (Node.Symbol).
	Types() []Type
	// Parse returns the syntax tree of text, which the caller closes. The one error is ErrTimeLimit, or one that wraps
	// what else kept the parser from ending.
	Parse(text string) (Tree, error)
}

// Type is a type of node. The others than named ones are punctuation and keywords.
type Type struct {
	Name  string
	Named bool
}

// Tree is a syntax tree. It belongs to one goroutine, and what it hands out ends with Close.
type Tree interface {
	Root() Node
	Cursor() Cursor // at the root
	Close()
}

// Cursor walks a tree without asking the library to count children from the front.
type Cursor interface {
	Reset(Node)
	Node() Node
	FirstChild() bool
	NextSibling() bool
}

// Node is a node of a tree: one half-open range of bytes of the text. Methods that return a Node return nil for none.
type Node interface {
	StartByte() uint32
	EndByte() uint32
	Symbol() int
	Type() string
	IsError() bool
	HasError() bool // it or one below it
	ChildByFieldName(field string) Node
	NamedChild(i int) Node
	NamedChildCount() uint32
	Parent() Node
	// Named is the smallest named node that holds the place from start to end.
	Named(start, end Point) Node
}

// Point is a place in a text: a line, counted from 0 by line feeds alone, and a byte in it.
type Point struct{ Row, Column uint32 }
