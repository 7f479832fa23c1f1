package text

import (
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
)

// Unit is a document of the text index: a declaration with its comments, or lines outside of declarations. Each line of
// a file belongs to one unit. Fields and constants of a type belong to the type, nested functions to the enclosing
// function. Consecutive small declarations form one unit.
type Unit struct {
	Decl       api.Decl // Decl.Line is 0 for lines outside of declarations; the index doesn't store Decl.Signature
	Names      []string
	Start, End int   // lines to show; a long type ends before its first member
	Chunks     []int // positions of its chunks in the file
}

// Sizes in lines.
const (
	wholeType  = 20  // maximum size of a type that is one unit with its methods
	wholeRange = 150 // maximum size of a type that is shown with its members
	smallDecl  = 5   // maximum size of a declaration that forms a unit with its neighbours
	wholeRun   = 20  // maximum size of a unit of small declarations

	wholeSize = 64 << 10 // bytes after which a declaration continues in another unit, to limit the memory of indexing
)

// isFunction and isContainer classify a declaration by its kind (chunk.kindOf). Other declarations are values.
func isFunction(d api.Decl) bool {
	return d.Kind == "function" || d.Kind == "method" || d.Kind == "macro"
}

func isContainer(d api.Decl) bool {
	switch d.Kind {
	case "function", "method", "macro", "field", "value", "constant", "property", "section":
		return false
	}
	return true
}

func contains(o, d api.Decl) bool { return o.Start <= d.Start && d.End <= o.End }

// unitDecls returns the declarations that are units. merged[i] is the index of the unit that contains decls[i], or -1.
func unitDecls(decls []api.Decl) (units []api.Decl, merged []int) {
	merged = make([]int, len(decls))
	for i, d := range decls {
		n := len(units)
		small := d.End-d.Line < smallDecl && !isFunction(d) && !isContainer(d) && d.Kind != "section"
		around := -1
		for j := n - 1; j >= 0 && around < 0; j-- {
			if o := units[j]; contains(o, d) && d.Kind != "section" && (!isContainer(o) || o.End-o.Start < wholeType ||
				small || o.Start == d.Start && o.End == d.End) {
				around = j
			}
		}
		switch {
		case around >= 0:
		case small && n > 0 && d.Start == units[n-1].End+1 && d.End-units[n-1].Start < wholeRun &&
			!isFunction(units[n-1]) && !isContainer(units[n-1]) && units[n-1].Kind != "section":
			units[n-1].End = d.End
			around = n - 1
		default:
			units = append(units, d)
			around = n
		}
		merged[i] = around
	}
	return units, merged
}

func Units(c api.Chunk) []Unit {
	var units []Unit
	for _, u := range unitsOf([]api.Chunk{c}) {
		units = append(units, u.Unit)
	}
	return units
}

type unitText struct {
	Unit
	lines []string
	size  int // of lines, in bytes
}

// unitsOf divides the ordered chunks of one file into units. Lines in two chunks are counted once.
func unitsOf(chunks []api.Chunk) []*unitText {
	type place struct {
		start int
		name  string
	}
	var units []*unitText
	at := map[place]*unitText{}
	last, cut := 0, false // last line in a unit, and whether a chunk ended inside this line
	for _, c := range chunks {
		if c.EndLine == 0 {
			continue
		}
		decls, merged := unitDecls(c.Decls)
		ofDecl := make([]*unitText, len(decls))
		var outside *unitText
		n := c.StartLine - 1
		for line := range strings.Lines(c.Text) {
			n++
			if n <= last && !(cut && n == last) {
				continue
			}
			i := len(decls) - 1
			for i >= 0 && (n < decls[i].Start || decls[i].End < n) {
				i--
			}
			var u *unitText
			switch {
			case i >= 0:
				outside = nil
				if u = ofDecl[i]; u != nil {
					break
				}
				d := decls[i]
				p := place{d.Start, d.Name}
				if u = at[p]; u == nil || u.size > wholeSize {
					u = &unitText{Unit: Unit{Decl: d, Start: d.Start, End: d.End}}
					at[p] = u
					units = append(units, u)
				}
				for j, m := range merged {
					if m == i && !slices.Contains(u.Names, c.Decls[j].Name) {
						u.Names = append(u.Names, c.Decls[j].Name)
					}
				}
				ofDecl[i] = u
			case outside == nil && strings.TrimSpace(line) == "":
				continue
			case outside == nil:
				outside = &unitText{Unit: Unit{Start: n, End: n}}
				if len(c.Decls) == 0 {
					outside.Names = c.Symbols
				}
				units = append(units, outside)
				fallthrough
			default:
				u = outside
				if strings.TrimSpace(line) != "" {
					u.End = n
				}
			}
			u.lines, u.size = append(u.lines, line), u.size+len(line)
			if k := len(u.Chunks); k == 0 || u.Chunks[k-1] != c.Ordinal {
				u.Chunks = append(u.Chunks, c.Ordinal)
			}
		}
		last, cut = max(last, n), !strings.HasSuffix(c.Text, "\n")
	}
	for _, u := range units {
		if !isContainer(u.Decl) || u.Decl.Line == 0 || u.End-u.Start < wholeRange {
			continue
		}
		for _, o := range units {
			if o != u && o.Start > u.Start && o.Start <= u.End {
				u.End = o.Start - 1
			}
		}
	}
	return units
}

func placeText(p string, u Unit) []string {
	return append([]string{strings.TrimSuffix(p, path.Ext(p))}, u.Decl.Scope...)
}
