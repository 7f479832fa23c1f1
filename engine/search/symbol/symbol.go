package symbol

import (
	"context"
	"errors"

	"searchmcp/engine/index/chunk"
)

// Role is how an occurrence uses a name.
type Role uint8

const (
	Mention Role = iota // reads or passes the name, or uses it as a type
	Call                // calls or constructs
	Import
	Key     // name of a field or argument, as in {name: 1}
	String  // in a string, or in a file without code
	Comment // in a comment or in prose
)

type Definition struct {
	chunk.Definition
	NameLine, Column   int // line of the name, from 1, and its byte offset in the line
	Signature, Comment string
	// Inner is true for a definition inside a function.
	Inner bool
	// Default is true for a JavaScript module's default export.
	Default bool
}

// Reference is a use of the name that does not define it.
type Reference struct {
	Line, Column int
	Role         Role
	// Receiver is the text before the name, such as "s.sessions" or "make()", or "".
	Receiver string
	Type     string   // inferred type of the receiver or of a key's literal; "" if unknown
	In       []string // names of the enclosing definitions, outermost first
	// Local is true if the name is a parameter or variable of the enclosing function.
	Local bool
	// Page is true for a use in markup, such as HTML around code.
	Page bool
	// Exact is true for a string that contains only a name, and for a name after a tag such as "@see" in a comment.
	Exact bool
	// Renamed is true for a use under another name, after "import { name as other }".
	Renamed bool
	// Spelled is true for a possible use in another spelling, such as "flatCents" for "flat_cents".
	Spelled bool
}

// File contains the occurrences of a name in a file or, without a name, all definitions of the file.
type File struct {
	Definitions []Definition
	References  []Reference
	Imports     []Dependency
}

// Candidate is a definition that a use may refer to.
type Candidate struct {
	Path, Language string
	Definition
}

// ErrNoParser means that no file can be parsed now.
var ErrNoParser = errors.New("parsers cannot run now")

// Parser parses files in languages that have a grammar.
type Parser interface {
	// Tree returns a file's syntax tree, encoded for chunk.Trees.Document. It returns nil if the file cannot be parsed,
	// and ErrNoParser if no file can be parsed now.
	Tree(ctx context.Context, f chunk.File) ([]byte, error)
}

// Documents parses files. It is safe for concurrent use.
type Documents interface {
	// Document returns a parsed file, which the caller closes.
	Document(ctx context.Context, f chunk.File) (*chunk.Document, error)
}
