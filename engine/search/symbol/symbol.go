package symbol

import (
	"context"
	"errors"

	"searchmcp/engine/index/chunk"
)

// Role is how a place uses a name.
type Role uint8

// The roles.
const (
	Mention Role = iota // reads, passes on, is a type of
	Call                // calls or constructs
	Import              // brings it into the file
	Key                 // names a field or an argument: a key of a literal, a keyword
	String              // is part of a string or of a file without code
	Comment             // is part of a comment or of prose
)

// Definition is one definition of a name. Lines are counted from 1.
type Definition struct {
	Name      string
	Scope     []string // the definitions around it, outermost first
	Kind      chunk.Kind
	Top       int // first line, comments and attributes right above included
	Line      int // where the definition begins, without those
	Last      int
	NameLine  int // line of the name
	Column    int // byte of the name in its line, from 0
	Signature string
	Comment   string // its first sentence
	Member    bool   // chunk.Definition.Member
	Abstract  bool   // chunk.Definition.Abstract
	Place     bool   // chunk.Definition.Place
	// Inner is true for what is defined inside a function: nothing outside sees it.
	Inner bool
	// Default is true for what a module of JavaScript exports as a whole.
	Default bool
}

// Owner is the innermost scope, "" at the top of a file.
func (d Definition) Owner() string {
	if len(d.Scope) == 0 {
		return ""
	}
	return d.Scope[len(d.Scope)-1]
}

// Reference is one place that has the name and does not define it.
type Reference struct {
	Line, Column int
	Role         Role
	// Receiver is the chain of names before the name, joined by dots: "s.sessions", "make()"; "" if there is none.
	Receiver string
	Type     string   // the type that the file says the receiver has, of a key that of its literal; "" if it does not
	In       []string // the definitions around it, outermost first
	// Local is true where the name is a parameter or variable of the function around it.
	Local bool
	// Page is true for a place in the markup around code.
	Page bool
	// Exact is true for a string that is a name and nothing else.
	Exact bool
	// Renamed is true for a use under the name that the file's own import gives it.
	Renamed bool
}

// File is what a file has of a name, or without one its definitions.
type File struct {
	Definitions []Definition
	References  []Reference
	Imports     []Dependency
}

// Candidate is a definition that a use may mean, and its file.
type Candidate struct {
	Path, Language string
	Definition
}

// ErrNoParser: no file can be parsed now.
var ErrNoParser = errors.New("parsers cannot run now")

// Parser parses files in languages that have a grammar.
type Parser interface {
	// Tree returns a file's syntax tree for chunk.Trees.Document; nil for a file that no parser can take. ErrNoParser says
	// nothing of the file.
	Tree(ctx context.Context, f chunk.File) ([]byte, error)
}

// Documents gives files their syntax trees. It is safe for concurrent use.
type Documents interface {
	// Document returns a file, which the caller closes.
	Document(ctx context.Context, f chunk.File) (*chunk.Document, error)
}
