package chunk

import (
	"cmp"
	"slices"
	"strings"

	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

// withMembers adds the members found by the language's patterns (lang.Member).
func (b *blocks) withMembers(defs []def, root tree.Node) []def {
	src, l := b.src, b.l
	if len(l.Members) == 0 {
		return defs
	}
	known := map[int]bool{}
	for _, d := range defs {
		known[d.at] = d.symbol
	}
	var around []int          // the line and its enclosing lines, outermost first
	rules := map[int]string{} // names of SCSS rules by line; "&__price" in ".card" defines ".card__price"
	for i := 0; i < src.lines(); i++ {
		line := src.line(i)
		if text := strings.TrimSpace(line); text == "" || text == "{" || root == nil && b.quoted[i] {
			continue
		}
		if root == nil && b.comments[i] > 0 {
			i = b.comments[i] - 1
			continue
		}
		for len(around) > 0 && indent(src.line(around[len(around)-1])) >= indent(line) {
			around = around[:len(around)-1]
		}
		outer := ""
		for _, n := range slices.Backward(around) {
			if outer = src.line(n); !strings.HasPrefix(strings.TrimSpace(outer), "[") {
				break
			}
		}
		around = append(around, i)
		start, end := src.starts[i], src.starts[i]+len(strings.TrimRight(line, " \t\r\n"))
		for _, m := range l.Members {
			for _, found := range membersIn(m, line, outer) {
				if root != nil && textual(root, start+found[0]) && textual(root, start+found[1]) {
					continue
				}
				name, at := lang.CleanName(line[found[1]:found[2]]), start+found[1]
				if name == "" || known[at] || slices.Contains(l.Reserved, name) {
					continue
				}
				known[at] = true
				if rest, nested := strings.CutPrefix(name, "&"); nested {
					outside := ""
					for _, n := range around {
						outside = cmp.Or(rules[n], outside)
					}
					name = outside + rest
					rules[i] = cmp.Or(rules[i], name)
				} else {
					rules[i] = name
				}
				d := def{name: name, at: at, top: i, last: i, symbol: true, depth: len(around) - 1}
				if root != nil {
					d.span, d.kind = span{at, end}, lang.DefinesValue
				}
				defs = append(defs, d)
			}
		}
	}
	slices.SortStableFunc(defs, func(x, y def) int {
		if root != nil {
			return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end))
		}
		return cmp.Compare(x.at, y.at)
	})
	return defs
}

func textual(root tree.Node, at int) bool { return lang.Leaf(root.Named(at, at).Type()) }

func membersIn(m lang.Member, line, outer string) (out [][3]int) {
	from, to, first := 0, len(line), -1
	if m.In != nil {
		if own := m.In.FindStringSubmatchIndex(line); own != nil {
			from = own[1]
		} else if outer == "" || !m.In.MatchString(outer) {
			return nil
		}
	}
	if m.Except.MatchString(line) {
		return nil
	}
	if m.Where != nil {
		where := m.Where.FindStringSubmatchIndex(line[from:])
		if where == nil {
			return nil
		}
		first = from + where[0]
		if g := lang.Group(where); g != nil {
			from, to = from+g[0], from+g[1]
		}
	}
	for _, found := range m.Line.FindAllStringSubmatchIndex(line[from:to]) {
		if g := lang.Group(found); g != nil {
			start := first
			if start < 0 {
				start = from + found[0]
			}
			start += len(line[start:]) - len(strings.TrimLeft(line[start:], " \t"))
			out = append(out, [3]int{start, from + g[0], from + g[1]})
		}
	}
	return out
}
