package symbol

import (
	"context"
	"slices"
	"sync"

	"searchmcp/engine/chunk"
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
	Line      int // where the definition begins, without comments before it
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
	// Renamed is true for a use under the name that the file's import gives it; the finder sets it.
	Renamed bool
}

// File is what a file has of a name, or without one its definitions.
type File struct {
	Definitions []Definition
	References  []Reference
	Imports     []string // its import statements, each on one line
	Words       bool     // there was no syntax tree
}

// Extractor extracts from files in languages that have a grammar.
type Extractor interface {
	// Extract returns what a file has of a name. An empty name asks for all definitions, without references.
	Extract(ctx context.Context, f chunk.File, name string) (File, error)
}

// Trees is an Extractor by parsers in this process. It is safe for use by many goroutines.
type Trees struct {
	parsers *chunk.Trees

	mu   sync.Mutex // guards kept; a leaf
	kept []kept     // the most recently used last
}

// kept is a document that nobody uses: a question asks for several names of the same files.
type kept struct {
	file chunk.File
	d    *chunk.Document
}

// maxKept is how many bytes of text the kept documents have; a tree takes some thirty times as much.
const maxKept = 512 << 10

// NewTrees takes the parsers.
func NewTrees(parsers *chunk.Trees) *Trees { return &Trees{parsers: parsers} }

// Extract implements Extractor.
func (t *Trees) Extract(ctx context.Context, f chunk.File, name string) (File, error) {
	d := t.take(f)
	if d == nil {
		var err error
		if d, err = t.parsers.Parse(ctx, f); err != nil {
			return File{}, err
		}
	}
	defer t.keep(f, d)
	return Extract(d, name), nil
}

// take hands out a kept document: it belongs to one goroutine.
func (t *Trees) take(f chunk.File) *chunk.Document {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.kept, func(k kept) bool { return k.file == f })
	if i < 0 {
		return nil
	}
	d := t.kept[i].d
	t.kept = slices.Delete(t.kept, i, i+1)
	return d
}

// keep takes a document back and lets the oldest go.
func (t *Trees) keep(f chunk.File, d *chunk.Document) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, kept{f, d})
	size := 0
	for i := len(t.kept) - 1; i >= 0; i-- {
		if size += len(t.kept[i].file.Text); size > maxKept {
			for _, old := range t.kept[:i+1] {
				old.d.Close()
			}
			t.kept = slices.Delete(t.kept, 0, i+1)
			return
		}
	}
}
