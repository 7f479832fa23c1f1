package chunk

import (
	"slices"
	"strings"

	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

// item is a node of a syntax tree or a block of indented lines. Siblings are ordered and don't overlap.
type item struct {
	span
	first, last int
	top         int // first line, including preceding comments and attributes
	role        lang.Role
	named       bool // false for punctuation and keywords
	list        bool
	container   bool      // definitions in it become chunks even if all fit into one chunk
	leaf        bool      // never cut, such as a string or comment
	wrapper     bool      // a decorator or modifier around one definition
	node        tree.Node // nil without a syntax tree
	rule        *lang.Rule
	kids        []*item
	expanded    bool
}

// leads reports whether the item is a comment or attribute directly above a line.
func (it *item) leads(line int) bool {
	return it.role == lang.RoleAttribute || it.role == lang.RoleComment && line <= it.last+1
}

type def struct {
	name      string
	prefix    []string // "Class" in the name "Class::method"
	at        int      // offset of the name
	top, last int      // lines, including preceding comments
	crumb     bool     // shown in the breadcrumbs of chunks
	symbol    bool
	depth     int  // number of enclosing definitions
	onward    bool // encloses all following definitions, as "namespace a;" in PHP

	span  // without preceding comments
	kind  lang.Defines
	node  tree.Node // nil without a syntax tree
	holds bool      // the value is a function, as in "x = () => …"

	holder, object bool // see lang.Ident
}

func (d def) path() []string { return append(append([]string{}, d.prefix...), d.name) }

// attach adds the names of definitions and the breadcrumbs to pieces.
func attach(src *source, pieces []Piece, defs []def) {
	for i := range pieces {
		p := &pieces[i]
		sp := src.trim(p.span())
		if sp.start >= sp.end {
			continue
		}
		p.Breadcrumb = breadcrumb(src, src.lineAt(sp.start), src.lineAt(sp.end-1), defs)
		for _, d := range defs {
			taken := i > 0 && d.at < pieces[i-1].End
			if d.symbol && !taken && d.at >= sp.start && d.at < sp.end && !slices.Contains(p.Symbols, d.name) {
				p.Symbols = append(p.Symbols, d.name)
			}
		}
	}
}

// breadcrumb returns the definitions around a range of lines, outermost first.
func breadcrumb(src *source, first, last int, defs []def) []string {
	for last > first && closer(src.line(last)) {
		last--
	}
	var space, out []string
	var inside []def
	for _, d := range defs {
		if !d.crumb {
			continue
		}
		switch {
		case d.onward:
			if d.top <= first {
				space = d.path()
			}
		case d.top <= first && last <= d.last:
			out = append(out, d.path()...)
		case d.depth == 0 && d.top >= first && d.top <= last:
			inside = append(inside, d)
		}
	}
	if out == nil && len(inside) == 1 {
		out = inside[0].path()
	}
	return append(space, out...)
}

// closers are the words of lines that only close blocks, such as "end)".
var closers = lang.Set("end END fi done esac </script </template </style")

func closer(line string) bool {
	bare := strings.Trim(line, " \t})];,>")
	return bare == "" || closers[bare]
}
