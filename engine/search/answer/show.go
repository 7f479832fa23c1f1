package answer

import (
	"slices"
	"strings"

	"searchmcp/engine/api"
)

// Maximum sizes in bytes.
const (
	maxLine      = 200 // of a line of code; longer lines are cut around the match
	maxSentence  = 600 // of a paragraph written on one line, and of a line of a whole declaration
	maxSignature = 120 // of a signature
)

// Excerpt returns all lines, the longest of them cut. With full set, they are cut less.
func (p *Snippet) Excerpt(full bool) *api.Excerpt {
	most := maxLine
	if full || proseLanguages[p.Language] {
		most = maxSentence
	}
	p.judge()
	x := &api.Excerpt{Start: p.Start, End: p.End, Best: p.lines[p.best].Number, Line: p.Line()}
	if p.index(p.Decl.Line) >= 0 {
		x.Head = p.Decl.Line
	}
	for _, l := range p.lines {
		l.Text = p.q.window(l.Text, most)
		x.Lines = append(x.Lines, l)
	}
	return x
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
	"text": true, "html": true, "": true}

func (p *Snippet) index(number int) int {
	if i := number - p.First; i >= 0 && i < len(p.Lines) {
		return i
	}
	return -1
}

const maxHead = 4 // lines up to the signature, if the best line is far below

// pick returns the signature, the best line, and the lines around the best line, up to the given size in bytes and
// number of lines. The lines are in file order.
func pick(x *api.Excerpt, size, lines int) []api.Line {
	first, best := x.Lines[0].Number, x.Best-x.Lines[0].Number
	head, headEnd := best, best+1
	if x.Head > 0 {
		head, headEnd = x.Head-first, x.Head-first+1
		if size > longSize {
			head = max(0, headEnd-maxHead)
		}
	}
	if len(x.Lines) > lines {
		lines -= headEnd - head
	}
	spend := func(i int) bool {
		size -= len(x.Lines[i].Text) + 1
		return size >= 0
	}
	for i := head; i < headEnd; i++ {
		spend(i)
	}
	isHead := func(i int) bool { return head <= i && i < headEnd }
	from, to := best, best+1
	if !isHead(best) {
		spend(best)
	}
	for size > 0 && to-from < min(lines, len(x.Lines)) {
		if to < len(x.Lines) && (isHead(to) || spend(to)) {
			to++
		}
		if from > 0 && to-from < lines && size > 0 && (isHead(from-1) || spend(from-1)) {
			from--
		}
	}
	for ; from < best && x.Lines[from].Text == ""; from++ {
	}
	for ; to > best+1 && x.Lines[to-1].Text == ""; to-- {
	}
	switch {
	case headEnd < from:
		return slices.Concat(x.Lines[head:headEnd], x.Lines[from:to])
	case to < head:
		return slices.Concat(x.Lines[from:to], x.Lines[head:headEnd])
	}
	return x.Lines[min(from, head):max(to, headEnd)]
}
