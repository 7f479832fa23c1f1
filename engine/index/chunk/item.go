package chunk

import (
	"strings"

	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

// item is a stretch of a file that belongs together: a node of a syntax tree, or a block of indented lines. Items
// of one parent do not overlap and stand in order.
type item struct {
	span
	first, last int // lines
	top         int // first, or the first line of the comments and attributes before it
	role        lang.Role
	named       bool      // false for a syntax tree's punctuation and keywords, which never begin a chunk
	list        bool      // has definitions inside
	container   bool      // and they are worth a chunk each even where all would fit into one
	leaf        bool      // is never opened: strings, comments
	wrapper     bool      // a decorator's or modifier's shell around one definition
	node        tree.Node // nil outside syntax trees
	rule        *lang.Rule
	kids        []*item
	expanded    bool
}

// def is a definition found in a file.
type def struct {
	name      string
	prefix    []string // scopes that the name itself gives: a receiver, "Class::"
	at        int      // offset of the name
	top, last int      // lines, comments before it included
	crumb     bool     // stands in breadcrumbs
	symbol    bool     // is defined here
	depth     int      // of definitions around it
	onward    bool     // holds what follows it, to the end of the file or the next of its kind

	span               // of the definition without what stands before it; of syntax trees only
	kind  lang.Defines // of syntax trees only
	node  tree.Node    // nil outside syntax trees
	holds bool         // a function, whatever kind its rule has

	holder, object bool // see lang.Ident; of documents only
}

// path is the definition's part of a breadcrumb.
func (d def) path() []string { return append(append([]string{}, d.prefix...), d.name) }

// attach gives each definition to the first piece that holds its name, and each piece its place in the file.
func attach(src *source, pieces []piece, defs []def) {
	for i := range pieces {
		p := &pieces[i]
		sp := src.trim(p.span)
		if sp.start >= sp.end {
			continue
		}
		p.breadcrumb = breadcrumb(src, src.lineAt(sp.start), src.lineAt(sp.end-1), defs)
		seen := map[string]bool{}
		for _, d := range defs {
			taken := i > 0 && d.at < pieces[i-1].end
			if d.symbol && !taken && d.at >= sp.start && d.at < sp.end && !seen[d.name] {
				seen[d.name] = true
				p.symbols = append(p.symbols, d.name)
			}
		}
	}
}

// breadcrumb lists the definitions around the lines first to last, outermost first. Where there are none and the lines
// hold one definition beside header and comments, it is that one.
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

// closer reports whether a line only ends what earlier lines began.
func closer(line string) bool {
	t := strings.Trim(line, " \t})];,>")
	switch t {
	case "", "end", "END", "fi", "done", "esac", "</script", "</template", "</style":
		return true
	}
	return false
}
