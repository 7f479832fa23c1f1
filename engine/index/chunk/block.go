package chunk

import (
	"slices"
	"strings"

	"searchmcp/engine/lang"
)

type blocks struct {
	src      *source
	l        *lang.Language
	quoted   map[int]bool // lines that begin inside a string
	comments map[int]int  // maps a comment's first line to the line after the comment
	defs     []def
}

func newBlocks(src *source, l *lang.Language) *blocks {
	b := &blocks{src: src, l: l, quoted: map[int]bool{}, comments: map[int]int{}}
	for _, t := range l.Tokens(src.text, len(src.text)) {
		first, last := src.lineAt(t.Start), src.lineAt(t.End-1)
		if t.Comment && src.empty(span{src.starts[first], t.Start}) {
			b.comments[first] = last + 1
		}
		for i := first + 1; i <= last; i++ {
			b.quoted[i] = true
		}
	}
	return b
}

// byBlocks cuts a file at blank lines, definitions and changes of indentation, and finds its definitions.
func byBlocks(src *source, l *lang.Language) ([]Piece, []def) {
	b := newBlocks(src, l)
	root := &item{span: span{0, len(src.text)}, last: max(src.lines()-1, 0), named: true, expanded: true}
	root.kids = b.items(0, src.lines()-1)
	b.walk(root, blockPosition{})
	b.defs = b.withMembers(b.defs, nil)
	return pack(src, root, b.kids, b.defs), b.defs
}

type blockPosition struct {
	defs, level int
	local       bool
}

// walk finds the definitions in an item and returns their number.
func (b *blocks) walk(it *item, at blockPosition) int {
	found := 0
	for _, k := range b.kids(it) {
		line := b.src.line(k.first)
		nested := b.l.Nested.MatchString(line)
		inner := blockPosition{at.defs, at.level + 1, at.local && !nested}
		if b.l.Body.MatchString(line) {
			inner.local = true
		}
		if d, ok := b.define(k); ok && (!at.local || nested) {
			d.depth = at.defs
			b.defs = append(b.defs, d)
			found++
			inner.defs++
		}
		// Deeply nested lines are treated as statements.
		if k.last > k.first && at.level < 4 {
			members := b.walk(k, inner)
			k.list = members > 1
			k.container = k.list
			found += members
		}
	}
	return found
}

func (b *blocks) define(k *item) (def, bool) {
	if k.role != lang.RoleCode || b.quoted[k.first] {
		return def{}, false
	}
	line := b.src.line(k.first)
	for _, d := range b.l.Defs {
		if m := lang.Group(d.Line.FindStringSubmatchIndex(line)); m != nil {
			if name := lang.CleanName(line[m[0]:m[1]]); name != "" && !slices.Contains(b.l.Reserved, name) {
				return def{name: name, at: b.src.starts[k.first] + m[0], top: k.top, last: k.last, crumb: true,
					symbol: d.Symbol}, true
			}
		}
	}
	return def{}, false
}

func (b *blocks) kids(it *item) []*item {
	if it.expanded {
		return it.kids
	}
	it.expanded = true
	if it.first == it.last || it.role == lang.RoleComment {
		return nil
	}
	it.kids = b.items(it.first+1, it.last)
	if len(it.kids) == 1 && it.kids[0].first == it.first+1 && it.kids[0].last == it.last {
		if lines := b.single(it.first+1, it.last); lines != nil {
			it.kids = lines
		}
	}
	return it.kids
}

// single returns an item for each line, or nil if the lines have different indentations.
func (b *blocks) single(first, last int) (out []*item) {
	for i := first; i <= last; i++ {
		if b.src.blank(i) {
			continue
		} else if indent(b.src.line(i)) != indent(b.src.line(first)) {
			return nil
		}
		k := b.item(i)
		k.expanded = true
		out = append(out, k)
	}
	return out
}

func (b *blocks) item(line int) *item {
	sp := b.src.trim(b.src.lineSpan(line, line))
	sp.start += len(b.src.text[sp.start:sp.end]) - len(strings.TrimLeft(b.src.text[sp.start:sp.end], " \t"))
	return &item{span: sp, first: line, last: line, top: line, named: true}
}

func (b *blocks) items(first, last int) []*item {
	base := b.base(first, last)
	var out []*item
	var cur *item
	deeper := false
	for i := first; i <= last; i++ {
		if b.src.blank(i) {
			continue
		}
		line := b.src.line(i)
		role := b.roleOf(i)
		if cur == nil || indent(line) <= base && b.begins(cur, i, line, role, deeper) {
			cur, deeper = b.item(i), false
			cur.role = role
			if n := len(out); n > 0 && out[n-1].leads(i) {
				cur.top = out[n-1].top
			}
			out = append(out, cur)
		}
		deeper = deeper || indent(line) > base
		if role == lang.RoleComment {
			i = min(b.comments[i]-1, last)
		}
		cur.last, cur.end = i, b.src.trim(b.src.lineSpan(i, i)).end
	}
	return out
}

// begins reports whether line i begins a new item.
func (b *blocks) begins(cur *item, i int, line string, r lang.Role, deeper bool) bool {
	t := strings.TrimSpace(line)
	switch {
	case continues(t), r != lang.RoleHeader && b.l.Behind.MatchString(line):
		return false
	case r != cur.role:
		return true
	case r == lang.RoleComment:
		return i > cur.last+1
	case r == lang.RoleHeader:
		return false
	}
	return deeper || i > cur.last+1 ||
		slices.ContainsFunc(b.l.Defs, func(d lang.Definition) bool { return d.Line.MatchString(line) })
}

// continuing contains words such as "else" that continue the previous line.
var continuing = lang.Set(`end else elsif elseif elif catch finally rescue ensure endif endfunction then begin where endfor
	endwhile endif() fi done`)

// continues reports whether a line continues the previous line, such as ")" or "else".
func continues(t string) bool {
	if strings.ContainsRune("})];,|&", rune(t[0])) || t == "{" || t == "(" || strings.HasPrefix(t, "</") {
		return true
	}
	word, _, _ := strings.Cut(t, " ")
	return continuing[strings.TrimRight(strings.ToLower(word), ":;{(")]
}

func (b *blocks) base(first, last int) int {
	least := -1
	for i := first; i <= last; i++ {
		line := b.src.line(i)
		if strings.TrimSpace(line) == "" || continues(strings.TrimSpace(line)) {
			continue
		}
		if n := indent(line); least < 0 || n < least {
			least = n
		}
	}
	return max(least, 0)
}

func (b *blocks) roleOf(i int) lang.Role {
	line := b.src.line(i)
	switch {
	case b.comments[i] > 0:
		return lang.RoleComment
	case b.l.Header.MatchString(line):
		return lang.RoleHeader
	case b.l.Attribute.MatchString(line):
		return lang.RoleAttribute
	}
	return lang.RoleCode
}

// lineDefs finds definitions line by line. Their last lines are unknown.
func lineDefs(src *source, l *lang.Language) []def {
	if !l.ByLines() {
		l = lang.Of("fallback")
	}
	b := newBlocks(src, l)
	var out []def
	for i := range src.lines() {
		if src.blank(i) || src.starts[i+1]-src.starts[i] > longLine {
			continue
		}
		if d, ok := b.define(b.item(i)); ok && d.symbol {
			d.crumb = false
			out = append(out, d)
		}
	}
	return out
}

// extendEnds ends each definition before the next definition with the same or less indentation.
func extendEnds(src *source, defs []def) []def {
	for i, d := range defs {
		last, width := src.lines()-1, indent(src.line(d.last))
		for _, next := range defs[i+1:] {
			if indent(src.line(next.last)) <= width {
				last = next.top - 1
				break
			}
		}
		for last > d.last && src.blank(last) {
			last--
		}
		defs[i].last = max(last, d.last)
	}
	return defs
}
