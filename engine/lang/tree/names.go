package tree

import (
	_ "embed" // names.txt
	"strconv"
	"strings"
	"sync"
)

// Type is a type of node. Punctuation and keywords are not Named.
type Type struct {
	Name  string
	Named bool
}

// Names are the names of a grammar's node types and fields.
type Names struct {
	Types  []Type           // by number
	Number uint8            // position of the grammar in names.txt
	Fields map[string]uint8 // field numbers, from 1
}

// names.txt contains the node types and fields of all grammars, so that trees can be read without C. A line "@name"
// begins a grammar. Fields begin with a dot. Punctuation and keywords are quoted. TestNames of package treesitter
// rewrites the file with -update.
//
//go:embed names.txt
var namesText string

// numbered contains all Names by Number.
var numbered []*Names

var names = sync.OnceValue(func() map[string]*Names {
	all := map[string]*Names{}
	var n *Names
	for line := range strings.Lines(namesText) {
		switch line = strings.TrimSuffix(line, "\n"); line[0] {
		case '@':
			n = &Names{Number: uint8(len(numbered)), Fields: map[string]uint8{}}
			all[line[1:]], numbered = n, append(numbered, n)
		case '.':
			n.Fields[line[1:]] = uint8(len(n.Fields) + 1)
		case '"':
			name, err := strconv.Unquote(line)
			if err != nil {
				panic("names.txt: " + line) // the file is part of the program
			}
			n.Types = append(n.Types, Type{Name: name})
		default:
			n.Types = append(n.Types, Type{Name: line, Named: true})
		}
	}
	return all
})

// NamesOf returns the names of a language's grammar, or nil.
func NamesOf(language string) *Names { return names()[language] }

func (n *Names) flags(symbol uint16) uint8 {
	if int(symbol) >= len(n.Types) || n.Types[symbol].Named {
		return flagNamed
	}
	return 0
}
