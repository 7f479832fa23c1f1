package search

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

func (r *ranking) ids() []string {
	ids := make([]string, len(r.candidates))
	for i, c := range r.candidates {
		ids[i] = c.id
	}
	return ids
}

const (
	maxLineLength   = 500  // characters shown of a line; people don't write longer ones
	maxJoinedLength = 4000 // characters up to which neighbours are joined
	// minJoinScore is the share of a result's score (without the repeat factor) that a neighbour must have to be joined
	// to it.
	minJoinScore = 0.6
)

// hit is a candidate with the neighbouring chunks that were joined to it.
type hit struct {
	*candidate
	text       string
	start, end int
	also       []api.Lines
}

// results fills out with the requested page.
func (r *ranking) results(q api.Query, out *api.Results) {
	all := r.joinNeighbours()
	out.Total = len(all)
	strength := r.absoluteScore(out.Semantic)
	top := 1.0
	if len(all) > 0 {
		top = max(1e-9, all[0].score)
	}
	scale := strength / top
	budget := api.MaxResult
	if q.MaxTokens > 0 {
		budget = min(budget, 4*q.MaxTokens)
	}
	shown := all[min(q.Offset, len(all)):]
	shown = shown[:min(len(shown), q.TopK)]
	for _, h := range shown {
		body, cut := cutLongLines(h.text)
		if n := utf8.RuneCountInString(body); n > budget {
			if len(out.Hits) > 0 {
				out.Truncated = true
				break
			}
			body, cut = fitBudget(body, budget), true
		}
		budget -= utf8.RuneCountInString(body)
		out.Truncated = out.Truncated || cut
		a := api.Hit{
			Path: h.path, Text: body, Score: min(1, max(0, h.score*scale)), StartLine: h.start, EndLine: h.end,
			Language: h.chunk.Language, Breadcrumb: strings.Join(h.chunk.Breadcrumb, " › "),
			Also: h.also,
		}
		if q.Explain {
			for _, f := range h.factors {
				f.Value *= scale
				a.Explain = append(a.Explain, f)
			}
		}
		out.Hits = append(out.Hits, a)
	}
	out.Truncated = out.Truncated || out.Total > q.Offset+len(out.Hits)
}

// joinNeighbours joins consecutive chunks of a file to one hit where the lower ranked is nearly as good.
func (r *ranking) joinNeighbours() []hit {
	var all []hit
	ends := map[string][]int{} // results by path
	for _, c := range r.candidates {
		merged := false
		for _, i := range ends[c.path] {
			if h := &all[i]; c.beforeRepeat() >= minJoinScore*h.beforeRepeat() && h.join(c) {
				merged = true
				break
			}
		}
		if !merged {
			ends[c.path] = append(ends[c.path], len(all))
			all = append(all, hit{candidate: c, text: c.chunk.Text, start: c.chunk.StartLine, end: c.chunk.EndLine,
				also: c.also})
		}
	}
	return all
}

// beforeRepeat is the score without the repeat factor.
func (c *candidate) beforeRepeat() float64 {
	if n := len(c.factors); n > 0 && c.factors[n-1].Name == "repeat" {
		return c.score - c.factors[n-1].Value
	}
	return c.score
}

// join appends or prepends an adjacent chunk's text, up to maxJoinedLength.
func (h *hit) join(c *candidate) bool {
	n := c.chunk
	if len(h.text)+len(n.Text) > maxJoinedLength {
		return false
	}
	switch {
	case n.StartLine == h.end+1 || n.StartLine == h.end+2:
		h.text += strings.Repeat("\n", n.StartLine-h.end) + n.Text
		h.end = n.EndLine
	case n.EndLine == h.start-1 || n.EndLine == h.start-2:
		h.text = n.Text + strings.Repeat("\n", h.start-n.EndLine) + h.text
		h.start = n.StartLine
	default:
		return false
	}
	h.also = append(h.also, c.also...)
	return true
}

// cutLongLines truncates lines longer than maxLineLength and marks where.
func cutLongLines(s string) (string, bool) {
	if len(s) <= maxLineLength {
		return s, false
	}
	var b strings.Builder
	cut := false
	for line := range strings.Lines(s) {
		if len(line) <= maxLineLength {
			b.WriteString(line)
			continue
		}
		bare := strings.TrimRight(line, "\r\n")
		if n := utf8.RuneCountInString(bare); n > maxLineLength {
			runes := []rune(bare)
			fmt.Fprintf(&b, "%s…[%d characters cut]%s", string(runes[:maxLineLength]), n-maxLineLength, line[len(bare):])
			cut = true
			continue
		}
		b.WriteString(line)
	}
	return b.String(), cut
}

// fitBudget keeps as many whole lines as fit a budget of characters and marks what is cut.
func fitBudget(s string, budget int) string {
	var b strings.Builder
	total := strings.Count(s, "\n") + 1
	n := 0
	for line := range strings.Lines(s) {
		if budget -= utf8.RuneCountInString(line); budget < 0 && n > 0 {
			fmt.Fprintf(&b, "…[%d lines cut]", total-n)
			break
		}
		b.WriteString(line)
		n++
	}
	return b.String()
}
