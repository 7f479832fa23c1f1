package tree

import (
	_ "embed" // names.txt
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Type is a type of node. The others than named ones are punctuation and keywords.
type Type struct {
	Name  string
	Named bool
}

// Names are what one grammar calls the types and fields of its nodes, by number.
type Names struct {
	Types  []Type
	Number uint8 // of the grammar, in the order of names.txt
	fields map[string]uint8
}

// names.txt has the names of all grammars, so that trees are read without any C. Each language begins with @ and its
// name; a field is a dot and its name, a named type is bare and any other one quoted. TestNames of package
// treesitter compares it with the grammars, and writes it with -update.
//
//go:embed names.txt
var namesText string

// numbered are all by Names.Number: read when NamesOf first was, and so before there is a tree.
var numbered []*Names

var names = sync.OnceValue(func() map[string]*Names {
	all := map[string]*Names{}
	var n *Names
	for line := range strings.Lines(namesText) {
		switch line = strings.TrimSuffix(line, "\n"); line[0] {
		case '@':
			n = &Names{Number: uint8(len(numbered)), fields: map[string]uint8{}}
			all[line[1:]], numbered = n, append(numbered, n)
		case '.':
			n.fields[line[1:]] = uint8(len(n.fields) + 1)
		case '"':
			name, err := strconv.Unquote(line)
			if err != nil {
				panic("names.txt: " + line) // a part of the program
			}
			n.Types = append(n.Types, Type{Name: name})
		default:
			n.Types = append(n.Types, Type{Name: line, Named: true})
		}
	}
	return all
})

// NamesOf returns the names of a language by chunk's name for it, nil where it has no grammar.
func NamesOf(language string) *Names { return names()[language] }

func (n *Names) typeOf(symbol uint16) string {
	if int(symbol) < len(n.Types) {
		return n.Types[symbol].Name
	}
	return "ERROR"
}

// flags are those that a symbol gives.
func (n *Names) flags(symbol uint16) uint8 {
	if int(symbol) >= len(n.Types) || n.Types[symbol].Named {
		return flagNamed
	}
	return 0
}

// Fields is how many fields there are.
func (n *Names) Fields() int { return len(n.fields) }

// field is the number of a field, 0 for one that the grammar does not have.
func (n *Names) field(name string) uint8 { return n.fields[name] }

// Has reports whether the grammar has a named type of node, HasField whether it has a field.
func (n *Names) Has(name string) bool { return slices.Contains(n.Types, Type{name, true}) }

// HasField is described at Has.
func (n *Names) HasField(name string) bool { return n.fields[name] > 0 }
