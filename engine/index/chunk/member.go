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
	known, earlier := map[int]bool{}, len(defs)
	for _, d := range defs {
		known[d.at] = d.symbol
	}
	var around []int // the line and its enclosing lines, outermost first
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
				if rest, nested := strings.CutPrefix(name, "&"); nested { // "&__price" in ".card" is ".card__price" in SCSS
					rule := def{at: -1}
					for _, d := range slices.Backward(defs[earlier:]) {
						if d.at < src.starts[around[0]] {
							break
						}
						if inside := src.text[d.at:max(at, d.at)]; d.at > rule.at && d.at < at && slices.Contains(around, d.top) &&
							(d.top < i || strings.Count(inside, "{") > strings.Count(inside, "}")) {
							rule = d
						}
					}
					name = rule.name + rest
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
	from, where := 0, [][]int{nil}
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
		where = m.Where.FindAllStringSubmatchIndex(line[from:])
	}
	for _, w := range where {
		part, at := line[from:], from
		if g := lang.Group(w); g != nil {
			part, at = line[from+g[0]:from+g[1]], from+g[0]
		}
		for _, found := range m.Line.FindAllStringSubmatchIndex(part) {
			if g := lang.Group(found); g != nil {
				start := at + found[0]
				if w != nil {
					start = from + w[0]
				}
				start += len(line[start:]) - len(strings.TrimLeft(line[start:], " \t"))
				out = append(out, [3]int{start, at + g[0], at + g[1]})
			}
		}
	}
	return out
}
