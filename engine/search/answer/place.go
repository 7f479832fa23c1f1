package answer

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
)

// Found is a chunk that was found, with its score, and what its words count beside those of its file's other chunks.
type Found struct {
	api.Chunk
	Score, Share float64
}

// Place is what an answer consists of: a declaration with its comment, or a part of one; lines that stand in none; of
// a document a section.
type Place struct {
	Decl       api.Decl // no Line: none
	Start, End int
	Score      float64
	From       int     // the chunk that it scores by, of those that were given
	Found      float64 // how much of the query it shows
	Lone       float64 // its score beside nothing else of its file
	Header     bool    // nothing but licence, imports and the like

	q        *Query
	share    float64 // its chunk's
	language string
	lines    []line // those that are known, in order
	best     int    // index of the line that says most
}

// line is a line of a place.
type line struct {
	api.Line
	role  chunk.LineRole
	found found
}

// Which lines a place has.
const (
	// Up to smallWhole lines, a declaration is told whole, with the fields, values and methods that it holds; a function
	// up to wholeFunction, with those inside it. Larger ones are places beside what they hold.
	smallWhole, wholeFunction = 90, 120
	// Declarations of up to smallPart lines that stand in a row are one place.
	smallPart = 3
	// maxWhole is how many lines a place may have. Of what is longer a part is told; of a function up to maxPart lines
	// around the one that says most, for what decides rarely stands in one chunk of it.
	maxWhole, maxPart = 120, 150
)

// How a file's places are ranked (docs/ranking.md).
const (
	chunkShare = 0.3  // of its chunk's score; the rest is what it shows of the query itself
	nameShare  = 0.3  // what its name is like the query counts beside what it shows
	epsilon    = 0.02 // lets places that show nothing of the query stand side by side
)

// Places are the declarations and other parts of a file's chunks, the best first.
func (q *Query) Places(chunks []Found) []*Place {
	var out []*Place
	at := map[[2]int]*Place{}
	top, most, best := 0.0, 0.0, 0.0
	for i, c := range chunks {
		for _, p := range q.places(c, i) {
			p.Score = c.Score
			key := [2]int{p.Start, p.End}
			if had := at[key]; had != nil {
				had.merge(p)
				continue
			}
			at[key] = p
			out = append(out, p)
		}
	}
	for _, p := range out {
		if !p.Header || top == 0 && len(out) == 1 {
			top, most = max(top, p.Score), max(most, p.Found)
		}
	}
	for _, p := range out {
		p.Score = chunkShare*p.Score/max(top, 1e-9) + (1-chunkShare)*p.Found/max(most, epsilon)
		best = max(best, p.Score)
	}
	for _, p := range out { // the file counts what its best chunk does
		p.Score *= top / max(best, 1e-9)
	}
	slices.SortStableFunc(out, func(a, b *Place) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Start, b.Start))
	})
	for _, p := range out {
		p.widen(out)
	}
	return out
}

// widen tells a part of a long function with what stands around it, as far as the file's other places.
func (p *Place) widen(all []*Place) {
	d := p.Decl
	if d.End-d.Start < maxWhole || d.Kind != string(chunk.KindFunction) && d.Kind != string(chunk.KindMethod) {
		return
	}
	from, to := d.Start, d.End
	for _, o := range all {
		switch { // chunks of one function share lines
		case o.Start < p.Start:
			from = max(from, o.End+1)
		case o.Start > p.Start:
			to = min(to, o.Start-1)
		}
	}
	first := min(p.Start, max(from, p.lines[p.best].Number-maxPart/2))
	p.End = max(p.End, min(to, first+maxPart-1))
	p.Start = min(p.Start, max(from, p.End-maxPart+1))
}

// merge adds what another chunk has of the same declaration.
func (p *Place) merge(o *Place) {
	if o.Score > p.Score {
		p.Score, p.From = o.Score, o.From
	}
	p.Header = p.Header && o.Header
	for _, l := range o.lines {
		if i, had := slices.BinarySearchFunc(p.lines, l, byNumber); !had {
			p.lines = slices.Insert(p.lines, i, l)
		}
	}
	p.judge()
}

func byNumber(a, b line) int { return cmp.Compare(a.Number, b.Number) }

// places are those of one chunk.
func (q *Query) places(c Found, from int) (out []*Place) {
	decls := suitable(c.Decls)
	owner := func(n int) int { // the innermost declaration of a line; -1: none
		for i := len(decls) - 1; i >= 0; i-- {
			if decls[i].Start <= n && n <= decls[i].End {
				return i
			}
		}
		return -1
	}
	roles := chunk.Lines(c.Text, c.Language, c.StartLine)
	n, last := c.StartLine, -2
	var cur *Place
	byOwner := map[int]*Place{}
	for text := range strings.Lines(c.Text) {
		l := line{Line: api.Line{Number: n, Text: strings.TrimRight(text, "\r\n")}, role: roles[n-c.StartLine]}
		if l.role != chunk.LineBlank && l.role != chunk.LineCloser {
			l.found = q.in(l.Text)
		}
		if of := owner(n); of != last {
			last = of
			if cur = byOwner[of]; cur == nil || of < 0 || cur.Start == 0 {
				cur = &Place{q: q, share: c.Share, language: c.Language, From: from}
				if of >= 0 {
					cur.Decl = decls[of]
				}
				byOwner[of] = cur
				out = append(out, cur)
			}
		}
		cur.lines = append(cur.lines, l)
		n++
	}
	return slices.DeleteFunc(out, func(p *Place) bool { return !p.bound(decls) })
}

// suitable leaves out declarations that are told by what they stand in, and makes one of those that stand in a row:
// constants, the fields of a large type.
func suitable(decls []api.Decl) []api.Decl {
	out := make([]api.Decl, 0, len(decls))
	for _, d := range decls {
		small := d.End-d.Line < smallPart && d.Kind != chunk.KindSection
		switch last := len(out) - 1; {
		case last >= 0 && out[last].Start == d.Start && out[last].End == d.End: // one of several names
		case d.Kind != chunk.KindSection && slices.ContainsFunc(out, func(o api.Decl) bool {
			most := smallWhole
			if o.Kind == string(chunk.KindFunction) || o.Kind == string(chunk.KindMethod) {
				most = wholeFunction
			}
			return o.Start <= d.Start && d.End <= o.End && o.End-o.Start < most
		}):
		case small && last >= 0 && d.Start == out[last].End+1 && d.End-out[last].Start < smallWhole &&
			out[last].Kind == d.Kind && slices.Equal(out[last].Scope, d.Scope):
			out[last].End = d.End
		default:
			out = append(out, d)
		}
	}
	return out
}

// bound sets which lines a place is told as, and judges them. It reports whether there is anything to tell.
func (p *Place) bound(decls []api.Decl) bool {
	blank := func(l line) bool { return l.role == chunk.LineBlank }
	first := slices.IndexFunc(p.lines, func(l line) bool { return !blank(l) })
	if first < 0 {
		return false
	}
	p.lines = p.lines[first:]
	for blank(p.lines[len(p.lines)-1]) {
		p.lines = p.lines[:len(p.lines)-1]
	}
	d := p.Decl
	p.Start, p.End = p.lines[0].Number, p.lines[len(p.lines)-1].Number
	if d.Line > 0 && d.End-d.Start < maxWhole {
		holds := slices.ContainsFunc(decls, func(o api.Decl) bool {
			return d.Start <= o.Start && o.End <= d.End && (d.Start < o.Start || o.End < d.End)
		})
		if !holds || d.End-d.Start < smallWhole {
			p.Start, p.End = d.Start, d.End
		}
	}
	p.judge()
	return true
}

// judge says how much of the query a place shows and which of its lines says most.
func (p *Place) judge() {
	var all found
	most := -1.0
	p.best, p.Header = 0, true
	for i, l := range p.lines {
		w := p.q.worth(l.found, found{})
		switch l.role {
		case chunk.LineHeader:
			w *= headerWorth
		case chunk.LineComment:
			w *= commentWorth
			all.add(l.found)
			p.Header = p.Header && l.found.any() == 0
		case chunk.LineCode:
			all.add(l.found)
			p.Header = p.Header && exporting.MatchString(l.Text)
			if l.Number == p.Decl.Line {
				w += epsilon
			}
		case chunk.LineBlank, chunk.LineCloser:
			w = -1
		}
		if w > most {
			most, p.best = w, i
		}
	}
	for _, s := range p.Decl.Scope {
		all.add(p.q.in(s))
	}
	p.Found = p.q.worth(all, found{})
	if p.Decl.Name != "" {
		p.Found += nameShare * p.q.name(p.Decl.Name)
	}
	p.Found *= p.share
}

// exporting is a line that hands out what is declared elsewhere in a file of JavaScript.
var exporting = regexp.MustCompile(`^(?:module\.)?exports(?:\.\w+)?\s*=\s*[\w.]+;?$`)

// What a line says by its role, relative to a line of code.
const (
	commentWorth = 0.8
	headerWorth  = 0.05
)
