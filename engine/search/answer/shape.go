package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// wholeRanks is the number of results of a code search that are shown in full, up to maxWindow lines each.
const wholeRanks = 2

// docsSizes are the maximum sizes in bytes of the first results of a documentation search. Later results take one line.
var docsSizes = []int{1000, 500, 300}

// Maximum sizes of a result in bytes.
const (
	wholeSize = maxExcerpt // for a result shown in full
	longSize  = 900        // for DetailLong
	shortSize = 200        // for DetailShort, about four lines
)

const (
	// A result after the first three is weak if its score is below this fraction of the first result's score.
	weakFraction = 0.25
	strongRanks  = 3
	// Unreliable is the minimum score of a reliable first result. Below, half of the answers are wrong
	// (docs/ranking.md).
	Unreliable = 0.3

	charsPerToken = 4  // approximately, in English and in code
	minSize       = 80 // of the first result, in bytes
	fieldsLength  = 90 // approximate size of a result without path and text
	MaxMore       = 12 // maximum number of declarations listed after the results
)

// MaxSize returns the maximum size in bytes of a result's text, or 0 for one line. The first result has rank 0.
func MaxSize(q api.Query, rank int) int {
	switch {
	case q.Detail == api.DetailLong:
		return longSize
	case q.Detail == api.DetailShort:
		return shortSize
	case q.Corpus == api.CorpusDocs && rank < len(docsSizes):
		return docsSizes[rank]
	case q.Corpus != api.CorpusDocs && rank < wholeRanks:
		return wholeSize
	}
	return 0
}

// Shape sets the text and lines of each hit, within the size limit of an answer. It is called once per answer.
func Shape(r *api.Results, q api.Query) {
	budget := api.MaxResult
	if q.MaxTokens > 0 {
		budget = min(budget, charsPerToken*q.MaxTokens)
	}
	for i := range r.Hits {
		h := &r.Hits[i]
		isUnreliable := r.Hits[0].Score < Unreliable
		h.Weak = q.Offset == 0 && (isUnreliable || i >= strongRanks && h.Score < weakFraction*r.Hits[0].Score)
		left := max(budget-fieldsLength-len(h.Path), minSize)
		size := MaxSize(q, q.Offset+i)
		if isUnreliable && q.Detail == api.DetailExcerpt && q.Corpus != api.CorpusDocs {
			size = 0
		}
		repeats := h.Excerpt != nil && h.Excerpt.Repeated ||
			slices.ContainsFunc(r.Hits[:i], func(other api.Hit) bool { return sameChunk(&other, h) })
		cut := show(h, q, min(size, left), left, repeats)
		n := fieldsLength + len(h.Path) + utf8.RuneCountInString(h.Text)
		if n > budget && i > 0 {
			r.Hits = r.Hits[:i]
			break
		}
		r.Truncated = r.Truncated || cut
		budget -= n
	}
	r.Truncated = r.Truncated || r.Total > q.Offset+len(r.Hits)
	r.More = more(r, q)
}

func more(r *api.Results, q api.Query) (out []api.Summary) {
	if len(r.Hits) == 0 || q.Offset > 0 || q.TopK != api.DefaultTopK || q.MaxTokens > 0 || r.Hits[0].Score < Unreliable ||
		q.Detail != api.DetailExcerpt && q.Detail != api.DetailShort {
		return nil
	}
	for _, t := range r.More {
		if len(out) == MaxMore || t.Score < weakFraction*r.Hits[0].Score {
			break
		}
		out = append(out, t)
	}
	return out
}

func sameChunk(a, b *api.Hit) bool {
	x, y := a.Excerpt, b.Excerpt
	return x != nil && y != nil && a.Project == b.Project && a.Path == b.Path && x.First == y.First && x.Text == y.Text
}

// show sets a hit's text to an excerpt of about budget bytes, or to one line if budget is 0. For DetailFull it sets the
// whole chunk, unless an earlier hit shows the same chunk. It reports whether it cut the chunk.
func show(h *api.Hit, q api.Query, budget, limit int, repeats bool) (cut bool) {
	x := h.Excerpt
	if x == nil {
		return false
	}
	h.Best, h.StartLine, h.EndLine = x.Best, x.Start, x.End
	if q.Detail == api.DetailFull && !repeats {
		h.Text, cut = fitBudget(x.Text, limit)
		h.StartLine, h.Lines = x.First, nil
		h.EndLine = x.First + strings.Count(strings.TrimSuffix(x.Text, "\n"), "\n")
		return cut
	}
	switch {
	case budget == 0 || q.Detail == api.DetailFull:
		h.Lines = pick(x, 0)
		if h.Text = x.Line; h.EndLine > h.StartLine && !strings.HasSuffix(h.Text, "…") {
			h.Text += " …"
		}
		return false
	case q.Detail == api.DetailExcerpt && q.Corpus != api.CorpusDocs && size(x.Window) <= limit:
		h.Lines = x.Window
	default:
		h.Lines = pick(x, budget)
	}
	h.Text = gapped(h.Lines, h.StartLine, h.EndLine)
	return false
}

func size(lines []api.Line) (n int) {
	for _, l := range lines {
		n += len(l.Text) + 1
	}
	return n
}

func gapped(lines []api.Line, start, end int) string {
	var b strings.Builder
	next := start
	for _, l := range lines {
		if l.Number != next { // lines before l are omitted
			fmt.Fprintf(&b, "…%d\n", l.Number)
		}
		b.WriteString(l.Text)
		b.WriteByte('\n')
		next = l.Number + 1
	}
	if next <= end {
		b.WriteString("…")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func fitBudget(s string, budget int) (string, bool) {
	if utf8.RuneCountInString(s) <= budget {
		return s, false
	}
	var b strings.Builder
	total := strings.Count(s, "\n") + 1
	n := 0
	for line := range strings.Lines(s) {
		if budget -= utf8.RuneCountInString(line); budget < 0 && n > 0 {
			break
		}
		b.WriteString(line)
		n++
	}
	fmt.Fprintf(&b, "…[%d lines cut]", total-n)
	return b.String(), true
}
