package answer

import (
	"cmp"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
)

// Maximum sizes in bytes.
const (
	maxLine      = 200  // of a line of code; longer lines are cut around the match
	maxSentence  = 600  // of a paragraph written on one line
	maxSignature = 120  // of a signature
	maxExcerpt   = 1500 // of an excerpt
)

// Excerpt returns the lines to show, the most important first: the signature, the best line, and the
// lines around the best line.
func (p *Snippet) Excerpt() *api.Excerpt {
	most := maxLine
	if proseLanguages[p.Language] {
		most = maxSentence
	}
	p.judge()
	x := &api.Excerpt{Start: p.Start, End: p.End, Best: p.lines[p.best].Number, Line: p.Line(), Window: p.window(most)}
	taken := make([]bool, len(p.lines))
	budget := maxExcerpt
	take := func(i int) {
		if i < 0 || i >= len(p.lines) || taken[i] || p.lines[i].role == chunk.LineBlank {
			return
		}
		taken[i] = true
		text := p.q.window(p.lines[i].Text, most)
		budget -= len(text)
		x.Lines = append(x.Lines, api.Line{Number: p.lines[i].Number, Text: text})
	}
	take(p.index(p.Decl.Line))
	take(p.best)
	x.Must = len(x.Lines)
	for d := 1; budget > 0 && d < len(p.lines); d++ {
		take(p.best + d)
		take(p.best - d)
	}
	return x
}

const (
	maxWindow = 40 // lines of a result; with fewer lines, assistants read the file again
	maxHead   = 4  // lines up to the signature, if the best line is far below
)

func (p *Snippet) window(most int) (out []api.Line) {
	from, to := 0, len(p.lines)
	add := func(lines []line) {
		for _, l := range lines {
			out = append(out, api.Line{Number: l.Number, Text: p.q.window(l.Text, most)})
		}
	}
	if to > maxWindow {
		head := p.index(p.Decl.Line) + 1
		from = max(head, min(p.best-maxWindow/2, to-maxWindow+min(head, maxHead)))
		add(p.lines[max(0, head-maxHead):head])
		to = from + maxWindow - len(out)
	}
	add(p.lines[from:min(to, len(p.lines))])
	return out
}

// Line returns the signature, or the best line if the place does not contain the signature.
func (p *Snippet) Line() string {
	s := p.Decl.Signature
	if s == "" || p.index(p.Decl.Line) < 0 {
		p.judge()
		return p.q.window(strings.TrimSpace(p.lines[p.best].Text), maxSignature)
	}
	if len(s) > maxSignature { // the end of a signature is least important
		s = strings.ToValidUTF8(s[:maxSignature], "") + "…"
	}
	return s
}

var proseLanguages = map[string]bool{"markdown": true, "mdx": true, "asciidoc": true, "restructuredtext": true,
	"text": true,
	"html": true, "": true}

func (p *Snippet) index(number int) int {
	if i := number - p.First; i >= 0 && i < len(p.Lines) {
		return i
	}
	return -1
}

// pick returns the required lines of an excerpt, and other lines until budget bytes are used. The lines are in file
// order.
func pick(x *api.Excerpt, budget int) []api.Line {
	var out []api.Line
	for i, l := range x.Lines {
		if budget -= len(l.Text) + 1; budget < 0 && i >= x.Must {
			break
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b api.Line) int { return cmp.Compare(a.Number, b.Number) })
	return withBlanks(x, out)
}

// withBlanks adds the blank lines between two picked lines. A mark for omitted lines would be longer.
func withBlanks(x *api.Excerpt, picked []api.Line) []api.Line {
	source := strings.Split(x.Text, "\n")
	var out []api.Line
	for i, l := range picked {
		if i > 0 {
			last := picked[i-1].Number
			from, to := last+1-x.First, l.Number-x.First
			if 0 <= from && from < to && to <= len(source) && strings.TrimSpace(strings.Join(source[from:to], "")) == "" {
				for n := range to - from {
					out = append(out, api.Line{Number: last + 1 + n})
				}
			}
		}
		out = append(out, l)
	}
	return out
}
