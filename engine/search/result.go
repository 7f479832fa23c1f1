package search

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

func (r *ranking) ids() []string {
	ids := make([]string, len(r.all))
	for i, c := range r.all {
		ids[i] = c.id
	}
	return ids
}

const (
	maxLine   = 500  // characters of a line that are shown; longer ones were not written by a person
	maxJoined = 4000 // characters up to which neighbours are shown as one result
	// joining is the share of a result's own score (before repeats were lowered) that a neighbour must have to be joined to it.
	joining = 0.6
)

// hit is a result in the making: a candidate and the neighbours that were joined to it.
type hit struct {
	*candidate
	text       string
	start, end int
	also       []api.Lines
}

// results fills in the page that was asked for.
func (r *ranking) results(q api.Query, out *api.Results) {
	all := r.joined()
	out.Total = len(all)
	strength := r.strength(out.Semantic)
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
		body, cut := shorten(h.text)
		if n := utf8.RuneCountInString(body); n > budget {
			if len(out.Hits) > 0 {
				out.Truncated = true
				break
			}
			body, cut = fit(body, budget), true
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

// joined makes one result of chunks that follow each other in a file, where the later ranked is nearly as good.
func (r *ranking) joined() []hit {
	var all []hit
	ends := map[string][]int{} // results by path
	for _, c := range r.all {
		merged := false
		for _, i := range ends[c.path] {
			if h := &all[i]; c.beforeRepeat() >= joining*h.beforeRepeat() && h.join(c) {
				merged = true
				break
			}
		}
		if !merged {
			ends[c.path] = append(ends[c.path], len(all))
			all = append(all, hit{candidate: c, text: c.chunk.Text, start: c.chunk.StartLine, end: c.chunk.EndLine, also: c.also})
		}
	}
	return all
}

// beforeRepeat is the score without what repeating took off.
func (c *candidate) beforeRepeat() float64 {
	if n := len(c.factors); n > 0 && c.factors[n-1].Name == "repeat" {
		return c.score - c.factors[n-1].Value
	}
	return c.score
}

// join appends or prepends a neighbour's text if nothing lies between and the result stays readable.
func (h *hit) join(c *candidate) bool {
	n := c.chunk
	if len(h.text)+len(n.Text) > maxJoined {
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

// shorten cuts lines that are too long to be read, visibly.
func shorten(s string) (string, bool) {
	if len(s) <= maxLine {
		return s, false
	}
	var b strings.Builder
	cut := false
	for line := range strings.Lines(s) {
		if len(line) <= maxLine {
			b.WriteString(line)
			continue
		}
		bare := strings.TrimRight(line, "\r\n")
		if n := utf8.RuneCountInString(bare); n > maxLine {
			runes := []rune(bare)
			fmt.Fprintf(&b, "%s…[%d characters cut]%s", string(runes[:maxLine]), n-maxLine, line[len(bare):])
			cut = true
			continue
		}
		b.WriteString(line)
	}
	return b.String(), cut
}

// fit keeps the whole lines that a budget of characters has room for, and says what is missing.
func fit(s string, budget int) string {
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
