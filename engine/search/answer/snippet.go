package answer

import (
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/store/text"
)

// Passage is a declaration, or lines between declarations, with its text.
type Passage struct {
	text.Unit
	Language string
	First    int      // line number of Lines[0]
	Lines    []string // with line ends
}

// Snippet is a Passage whose lines are scored by a query, when a method needs the scores.
type Snippet struct {
	Passage
	q     *Query
	lines []api.Line // without line ends; nil until the lines are scored
	best  int        // index of the line with the highest score
	score float64
}

const maxRange = 150 // longer declarations are cut around the best line

// Snippet returns a snippet of a passage, or nil if the passage is blank.
func (q *Query) Snippet(p Passage) *Snippet {
	for n := len(p.Lines); n > 0 && strings.TrimSpace(p.Lines[n-1]) == ""; n-- {
		p.Lines = p.Lines[:n-1]
	}
	if len(p.Lines) == 0 {
		return nil
	}
	out := &Snippet{Passage: p, q: q}
	if out.End-out.Start >= maxRange {
		out.judge()
		first := max(out.Start, out.lines[out.best].Number-maxRange/2)
		out.End = min(out.End, first+maxRange-1)
		out.Start = max(out.Start, out.End-maxRange+1)
	}
	return out
}

// Score returns the score of all lines together.
func (p *Snippet) Score() float64 {
	p.judge()
	return p.score
}

// Weights of lines relative to a line of code.
const (
	commentWorth = 0.8
	headerWorth  = 0.05
)

const epsilon = 0.02 // makes the signature precede other lines with the same score

func (p *Snippet) judge() {
	if p.lines != nil {
		return
	}
	roles := chunk.Lines(strings.Join(p.Lines, ""), p.Language, p.First)
	var all match
	most := -1.0
	for i, written := range p.Lines {
		l, role := api.Line{Number: p.First + i, Text: strings.TrimRight(written, "\r\n")}, chunk.LineCode
		if i < len(roles) {
			role = roles[i]
		}
		var found match
		w := -1.0
		if role != chunk.LineBlank && role != chunk.LineCloser {
			found = p.q.in(l.Text)
			w = p.q.worth(found)
		}
		switch role {
		case chunk.LineHeader:
			w *= headerWorth
		case chunk.LineComment:
			w *= commentWorth
			all.add(found)
		case chunk.LineCode:
			all.add(found)
			if l.Number == p.Decl.Line {
				w += epsilon
			}
		}
		if w > most {
			most, p.best = w, i
		}
		p.lines = append(p.lines, l)
	}
	p.score = p.q.worth(all)
}
