package symbol

import (
	"context"
	"errors"

	"searchmcp/engine/index/chunk"
)

// Role is what a place does with a name.
type Role uint8

// The roles.
const (
	Mention Role = iota // reads, passes on, is a type of
	Call                // calls or constructs
	Import              // brings it into the file
	Key                 // names a field or an argument: a key of a literal, a keyword
	Text                // stands in a comment or string
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

	// What a search for a name says besides, for Types.
	Gives      Expr     // the type of a field or variable, or of what a function gives
	Parameters string   // of a function as they are written, where callers are typed by them
	Bases      []string // what a type inherits from, embeds or is a union of, as it is written
	Alias      string   // the type that a type's name stands for, as it is written
	Extends    string   // of a function that is called as a member of another type, that type: this T in C#
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
	// Receiver is the chain of names before the name, joined by dots: "s.sessions", "make()"; "" if it stands alone.
	Receiver string
	// Type is the type that the file says the receiver has, of a key that of its literal; "" if it does not.
	Type string
	// Expr is what the receiver is, or the object whose key it is, as far as the file says it.
	Expr Expr
	In   []string // the definitions around it, outermost first
	// Local is true where the name is a parameter or variable of the function around it.
	Local bool
	// Page is true for a place in the markup around code.
	Page bool
	// Renamed is true for a use under the name that the file's import gives it; the finder sets it.
	Renamed bool
}

// File is what a file has of a name, or without one its definitions.
type File struct {
	Definitions []Definition
	References  []Reference
	Imports     []string // its import statements, each on one line (see Imports)
	Words       bool     // there was no syntax tree
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
