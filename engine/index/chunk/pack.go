package chunk

import "searchmcp/engine/lang"

// Sizes of chunks in characters. They are below the RFC's limit, because a small embedding model distinguishes small
// chunks better.
const (
	// small is the maximum size of the smaller of two joined definitions.
	small = 600
	// merged is the maximum size of two joined definitions.
	merged = 1500
	// readable is the maximum size of a class in one chunk, and of a part of a large function.
	readable = 2500
	// crumbSize is the minimum size of a chunk. Smaller chunks are joined to a neighbour.
	crumbSize = 200
	// wholeFile is the maximum size of a file that is one chunk.
	wholeFile = 800
)

// unit is a group of lines that is cut only if it is too large.
type unit struct {
	first, last int
	main        *item // largest item in the lines, or nil
	header      bool
}

type packer struct {
	src  *source
	kids func(*item) []*item
	out  []Piece
}

// pack cuts a file into pieces along its items.
func pack(src *source, root *item, kids func(*item) []*item, defs []def) []Piece {
	p := packer{src: src, kids: kids}
	if n := src.lines(); n > 0 && src.size(0, n-1) <= wholeFile {
		p.out = []Piece{pieceOf(src.lineSpan(0, n-1))}
	} else if n > 0 {
		p.pack(p.units(0, n-1, root, true), true, 0)
	}
	attach(src, p.out, defs)
	return p.out
}

// units cuts the lines of an item before each part.
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
		case begin == cur.first || i > 0 && starts[i-1].leads(s.first):
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
	// The lines before the first code of a file are its header, such as a licence and imports.
	for i := 0; list && i < len(units) && (units[i].main == nil || units[i].main.role != lang.RoleCode); i++ {
		units[i].header = true
	}
	return units
}

func (p *packer) collect(it *item, list bool, depth int, out *[]*item) {
	if depth > lang.MaxDepth {
		return
	}
	for _, k := range p.kids(it) {
		if !k.named {
			continue
		}
		begins := p.src.empty(span{p.src.starts[k.first], k.start})
		if begins && (list || k.first > it.first && !it.wrapper) {
			*out = append(*out, k)
		} else if k.last > k.first && !k.leaf {
			p.collect(k, false, depth+1, out)
		}
	}
}

// pack joins small units and cuts large ones. siblings is true if the units are definitions.
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
			// A large unit includes the first lines of its definition, or a few lines at the top of the file.
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
			p.out = append(p.out, pieceOf(p.src.lineSpan(g.first, g.last)))
		}
	}
}

func (p *packer) large(u unit) bool {
	n := p.src.size(u.first, u.last)
	return n > codeLimits.size || n > readable && u.main != nil && u.main.container
}

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

func (p *packer) open(u unit, depth int) {
	if u.main != nil && !u.main.leaf && depth < lang.MaxDepth {
		if parts := p.units(u.first, u.last, u.main, false); len(parts) > 1 {
			p.pack(parts, u.main.list, depth+1)
			return
		}
	}
	sp := p.src.lineSpan(u.first, u.last)
	for _, s := range p.src.split(sp, codeLimits) {
		p.out = append(p.out, pieceOf(s))
	}
}
