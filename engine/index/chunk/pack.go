package chunk

import "searchmcp/engine/lang"

// Sizes of chunks that follow the structure of a file, in characters. The RFC's size (codeLimits.size) is the upper
// bound; within it, chunks are kept to what a person reads at a glance and a small model still tells apart.
const (
	// small: two neighbours are put together only if one of them is below it, so a function of some size stands alone.
	small = 600
	// merged: neighbours are put together up to it.
	merged = 1500
	// readable: members of a class larger than it become chunks of their own, and the parts of an oversized function
	// grow up to it.
	readable = 2500
	// crumbSize: below it a neighbour is joined up to readable, since alone it says nothing.
	crumbSize = 200
	// wholeFile: a file up to it is one chunk.
	wholeFile = 800
)

// unit is a run of whole lines that is not cut unless it is too large.
type unit struct {
	first, last int
	main        *item // what the unit is about; nil for lines between a parent's beginning and its first part
	header      bool
}

// packer turns a tree of items into pieces of whole lines.
type packer struct {
	src  *source
	kids func(*item) []*item
	out  []piece
}

// file packs a whole file.
func (p *packer) file(root *item) []piece {
	n := p.src.lines()
	if n == 0 {
		return nil
	}
	if p.src.size(0, n-1) <= wholeFile {
		return []piece{{span: p.src.lineSpan(0, n-1)}}
	}
	p.pack(p.units(0, n-1, root, true), true, 0)
	return p.out
}

// units cuts the lines first to last, which are about it, where it has parts that begin a line. list says that it is a
// list by nature (a file), all of whose parts begin units.
func (p *packer) units(first, last int, it *item, list bool) []unit {
	var starts []*item
	p.collect(it, list, 0, &starts)
	units := []unit{{first: first, last: last}}
	for i, s := range starts {
		cur := &units[len(units)-1]
		begin := max(s.first, cur.first)
		switch {
		case begin > last:
			continue
		case begin == cur.first || i > 0 && p.glued(starts[i-1], s):
			// The same unit: it begins here, or its comments do.
			if cur.main == nil || cur.main.role != lang.RoleCode ||
				s.role == lang.RoleCode && s.last-s.first > cur.main.last-cur.main.first {
				cur.main = s
			}
			cur.header = cur.main.role == lang.RoleHeader
		default:
			cur.last = begin - 1
			units = append(units, unit{first: begin, last: last, main: s, header: s.role == lang.RoleHeader})
		}
	}
	return licence(units, list)
}

// licence counts comments at the top of a file, before its package and imports, to the header.
func licence(units []unit, list bool) []unit {
	if !list {
		return units
	}
	for i := range units {
		u := &units[i]
		if u.main != nil && u.main.role == lang.RoleCode {
			break
		}
		u.header = true
	}
	return units
}

// glued reports whether b belongs to the comment or attribute a before it.
func (p *packer) glued(a, b *item) bool {
	switch a.role {
	case lang.RoleAttribute:
		return true
	case lang.RoleComment:
		return b.first <= a.last+1
	}
	return false
}

// collect lists the parts of it that begin a line. A part on a line with something before it (a body behind its header)
// is looked into instead, and so is what begins together with its parent.
func (p *packer) collect(it *item, list bool, depth int, out *[]*item) {
	if depth > lang.MaxDepth {
		return
	}
	for _, k := range p.kids(it) {
		if !k.named {
			continue
		}
		// What begins a line begins a unit; what is behind something on its line is looked into.
		begins := p.src.empty(span{p.src.starts[k.first], k.start})
		if begins && (list || k.first > it.first && !it.wrapper) {
			*out = append(*out, k)
		} else if k.last > k.first && !k.leaf {
			p.collect(k, false, depth+1, out)
		}
	}
}

// pack joins small neighbours and opens what is too large. siblings says that the units are definitions rather than
// the statements of one.
func (p *packer) pack(units []unit, siblings bool, depth int) {
	var groups []unit
	for _, u := range units {
		var cur *unit
		if n := len(groups); n > 0 && !p.large(groups[n-1]) {
			cur = &groups[n-1]
		}
		switch {
		case cur == nil:
			groups = append(groups, u)
		case p.large(u):
			// The head of a definition goes with the first of its parts, however large that is, and so do a few lines at
			// the top of a file.
			n := p.src.size(cur.first, cur.last)
			if cur.main == nil && n < small || len(groups) == 1 && n < crumbSize/2 {
				u.first = cur.first
				*cur = u
			} else {
				groups = append(groups, u)
			}
		case p.joins(*cur, u, siblings):
			cur.last = u.last
			cur.header = cur.header && u.header
		default:
			groups = append(groups, u)
		}
	}
	for _, g := range p.sweep(groups) {
		if p.large(g) {
			p.open(g, depth)
		} else {
			p.out = append(p.out, piece{span: p.src.lineSpan(g.first, g.last)})
		}
	}
}

// large reports whether a unit is opened.
func (p *packer) large(u unit) bool {
	n := p.src.size(u.first, u.last)
	return n > codeLimits.size || n > readable && u.main != nil && u.main.container
}

// joins reports whether unit b is put to a.
func (p *packer) joins(a, b unit, siblings bool) bool {
	x, y := p.src.size(a.first, a.last), p.src.size(b.first, b.last)
	switch {
	case a.header != b.header && x >= crumbSize/2:
		return false
	case x < crumbSize || !siblings:
		return x+y <= readable
	case min(x, y) < small:
		return x+y <= merged
	}
	return false
}

// sweep puts groups too small to say anything alone to the one before them.
func (p *packer) sweep(groups []unit) []unit {
	out := groups[:0]
	for _, g := range groups {
		if n := len(out); n > 0 && p.src.size(g.first, g.last) < crumbSize {
			prev := &out[n-1]
			if !p.large(*prev) && prev.header == g.header && p.src.size(prev.first, g.last) <= codeLimits.size {
				prev.last = g.last
				prev.main = nil
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

// open cuts a unit that is too large along its parts; what has none goes to the splitter.
func (p *packer) open(u unit, depth int) {
	if u.main != nil && !u.main.leaf && depth < lang.MaxDepth {
		if parts := p.units(u.first, u.last, u.main, false); len(parts) > 1 {
			p.pack(parts, u.main.list, depth+1)
			return
		}
	}
	sp := p.src.lineSpan(u.first, u.last)
	for _, s := range p.src.split(sp, codeLimits) {
		p.out = append(p.out, piece{span: s})
	}
}
