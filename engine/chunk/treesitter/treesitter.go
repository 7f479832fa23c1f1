// Package treesitter gives chunk its syntax trees (interfaces in package tree). It is the sole importer of
// go-tree-sitter: C, so it runs in the worker and in tests, never in the app.
//
// Goroutines: none. A parser and its tree belong to one call, their memory (arena.go) to the tree; languages are
// shared. No locks of its own.
package treesitter

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/lua"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"searchmcp/engine/chunk/tree"
)

// parseLimit bounds one parse. Files of 100 KB take 15 ms; one that needs seconds is pathological for its grammar.
const parseLimit = 2 * time.Second

// parsers maps chunk's names of languages to their parsers.
var parsers = map[string]func() *sitter.Language{
	"bash": bash.GetLanguage, "c": c.GetLanguage, "cpp": cpp.GetLanguage, "csharp": csharp.GetLanguage,
	"elixir": elixir.GetLanguage, "go": golang.GetLanguage, "java": java.GetLanguage, "javascript": javascript.GetLanguage,
	"kotlin": kotlin.GetLanguage, "lua": lua.GetLanguage, "php": php.GetLanguage, "python": python.GetLanguage,
	"ruby": ruby.GetLanguage, "rust": rust.GetLanguage, "scala": scala.GetLanguage, "swift": swift.GetLanguage,
	"tsx": tsx.GetLanguage, "typescript": typescript.GetLanguage,
}

// Language returns the parser of a language by chunk's name for it, nil if there is none.
func Language(name string) tree.Language {
	get := parsers[name]
	if get == nil {
		return nil
	}
	return language{get()}
}

type language struct{ native *sitter.Language }

func (l language) Types() []tree.Type {
	types := make([]tree.Type, l.native.SymbolCount())
	for i := range types {
		sym := sitter.Symbol(i)
		types[i] = tree.Type{Name: l.native.SymbolName(sym), Named: l.native.SymbolType(sym) == sitter.SymbolTypeRegular}
	}
	return types
}

// Parse implements tree.Language. There is no context, for the library's own way of cancelling leaves a goroutine
// that may cancel the next parse; the time limit bounds it.
func (l language) Parse(text string) (tree.Tree, error) {
	a := arenas.Get().(*arena)
	made, err := l.parse(a, text)
	if err != nil {
		a.reset()
		if errors.Is(err, sitter.ErrOperationLimit) {
			return nil, tree.ErrTimeLimit
		}
		return nil, fmt.Errorf("parse: %w", err)
	}
	return parsed{made, a}, nil
}

func (l language) parse(a *arena, text string) (*sitter.Tree, error) {
	defer a.enter()()
	p := sitter.NewParser() // not kept: what it keeps for its next parse would stand in the arena
	defer p.Close()
	p.SetLanguage(l.native)
	p.SetOperationLimit(int(parseLimit.Microseconds()))
	made, err := p.ParseCtx(context.Background(), nil, []byte(text))
	if errors.Is(err, sitter.ErrOperationLimit) {
		// The limit is of the clock, and a machine under load stalls: go on once where the parser stopped.
		made, err = p.ParseCtx(context.Background(), nil, []byte(text))
	}
	return made, err
}

type parsed struct {
	t *sitter.Tree
	a *arena
}

func (p parsed) Root() tree.Node     { return wrap(p.t.RootNode()) }
func (p parsed) Cursor() tree.Cursor { return cursor{sitter.NewTreeCursor(p.t.RootNode())} }

// Close forgets the tree, whose pieces need not be given back one by one.
func (p parsed) Close() {
	runtime.SetFinalizer(p.t.BaseTree, nil)
	p.a.reset()
}

// cursor is freed when it is collected, which closing the tree does not hinder.
type cursor struct{ c *sitter.TreeCursor }

func (c cursor) Reset(n tree.Node) { c.c.Reset(n.(node).Node) }
func (c cursor) Node() tree.Node   { return wrap(c.c.CurrentNode()) }
func (c cursor) FirstChild() bool  { return c.c.GoToFirstChild() }
func (c cursor) NextSibling() bool { return c.c.GoToNextSibling() }

// node is a pointer in a struct, so that none is allocated when it becomes a tree.Node.
type node struct{ *sitter.Node }

// wrap keeps the library's nil from becoming an interface that isn't.
func wrap(n *sitter.Node) tree.Node {
	if n == nil {
		return nil
	}
	return node{n}
}

func (n node) Symbol() int                             { return int(n.Node.Symbol()) }
func (n node) ChildByFieldName(field string) tree.Node { return wrap(n.Node.ChildByFieldName(field)) }
func (n node) NamedChild(i int) tree.Node              { return wrap(n.Node.NamedChild(i)) }
func (n node) Parent() tree.Node                       { return wrap(n.Node.Parent()) }
func (n node) Named(start, end tree.Point) tree.Node {
	return wrap(n.NamedDescendantForPointRange(sitter.Point(start), sitter.Point(end)))
}
