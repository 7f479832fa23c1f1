package answer

import (
	"regexp"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/store/text"
)

// Part is a declaration, or lines between declarations, with its text.
type Part struct {
	text.Unit
	Language string
	First    int      // line number of Lines[0]
	Lines    []string // with line ends
}

// Place is a Part whose lines are scored by a query.
type Place struct {
	Part
	Header bool // whether the part contains only a licence, imports or similar lines
	Shown  float64

	q     *Query
	lines []line
	best  int // index of the line with the highest score
}

type line struct {
	api.Line
	role  chunk.LineRole
	found match
}

const maxRange = 150 // longer declarations are cut around the best line

// Place scores the lines of a part. It returns nil if the part is blank.
func (q *Query) Place(p Part) *Place {
	roles := chunk.Lines(strings.Join(p.Lines, ""), p.Language, p.First)
	out := &Place{Part: p, q: q}
	for i, written := range p.Lines {
		l := line{Line: api.Line{Number: p.First + i, Text: strings.TrimRight(written, "\r\n")}, role: chunk.LineCode}
		if i < len(roles) {
			l.role = roles[i]
		}
		if l.role != chunk.LineBlank && l.role != chunk.LineCloser {
			l.found = q.in(l.Text)
		}
		out.lines = append(out.lines, l)
	}
	for n := len(out.lines); n > 0 && out.lines[n-1].role == chunk.LineBlank; n-- {
		out.lines = out.lines[:n-1]
	}
	if len(out.lines) == 0 {
		return nil
	}
	out.judge()
	if out.End-out.Start >= maxRange {
		first := max(out.Start, out.lines[out.best].Number-maxRange/2)
		out.End = min(out.End, first+maxRange-1)
		out.Start = max(out.Start, out.End-maxRange+1)
	}
	return out
}

const epsilon = 0.02 // makes the signature precede other lines with the same score

func (p *Place) judge() {
	var all match
	most := -1.0
	p.best, p.Header = 0, true
	for i, l := range p.lines {
		w := p.q.worth(l.found)
		switch l.role {
		case chunk.LineHeader:
			w *= headerWorth
		case chunk.LineComment:
			w *= commentWorth
			all.add(l.found)
			p.Header = p.Header && !l.found.any()
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
	p.Shown = p.q.worth(all)
}

// exporting matches a JavaScript line such as "module.exports = app;".
var exporting = regexp.MustCompile(`^(?:module\.)?exports(?:\.\w+)?\s*=\s*[\w.]+;?$`)

// Weights of lines relative to a line of code.
const (
	commentWorth = 0.8
	headerWorth  = 0.05
)
