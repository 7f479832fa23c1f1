package answer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// Limits of the text of a search's results. Sizes are in bytes.
const (
	wholeRanks = 2    // number of results of a code search that are shown in full; later ones take one line
	maxLines   = 40   // of a result; with fewer lines, assistants read the file again
	shortLines = 3    // of a declaration that is shown in full at any rank
	wholeSize  = 8000 // of a result shown in full: maxLines lines of maxLine bytes
	longSize   = 900  // for DetailLong
	shortSize  = 200  // for DetailShort, about four lines
)

// docsSizes are the sizes in bytes of the first results of a documentation search.
var docsSizes = []int{1000, 500, 300}

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

// maxSize returns the maximum size in bytes of a result's text, or 0 for one line. The first result has rank 0.
func maxSize(q api.Query, rank int) int {
	switch {
	case q.Detail == api.DetailFull:
		return math.MaxInt
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
		size := maxSize(q, q.Offset+i)
		if isUnreliable && q.Detail == api.DetailExcerpt && q.Corpus != api.CorpusDocs {
			size = 0
		}
		if size == 0 && !isUnreliable && h.Excerpt != nil && len(h.Excerpt.Lines) <= shortLines {
			size = wholeSize
		}
		cut := show(h, q.Detail == api.DetailFull, min(size, left))
		n := fieldsLength + len(h.Path) + utf8.RuneCountInString(h.Text)
		if n > budget && i > 0 {
			r.Hits = r.Hits[:i]
			break
		}
		r.Truncated = r.Truncated || cut
		budget -= n
	}
	if q.Detail == api.DetailShort { // the terminal shows a hit by its best line
		type line struct {
			project, path string
			number        int
		}
		shown, n := map[line]bool{}, len(r.Hits)
		r.Hits = slices.DeleteFunc(r.Hits, func(h api.Hit) bool {
			l := line{h.Project, h.Path, h.Best}
			again := shown[l]
			shown[l] = true
			return again
		})
		r.Total -= n - len(r.Hits)
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

// show sets a hit's text to an excerpt of about size bytes, or to one line if size is 0. It reports whether it cut the
// declaration although full is set.
func show(h *api.Hit, full bool, size int) (cut bool) {
	x := h.Excerpt
	if x == nil {
		return false
	}
	h.Best, h.StartLine, h.EndLine = x.Best, x.Start, x.End
	lines := maxLines
	if full {
		h.StartLine, h.EndLine = x.Lines[0].Number, x.Lines[len(x.Lines)-1].Number
		lines = len(x.Lines)
	}
	h.Lines = pick(x, size, lines)
	if size > 0 {
		h.Text = gapped(h.Lines, h.StartLine, h.EndLine)
	} else if h.Text = x.Line; h.EndLine > h.StartLine && !strings.HasSuffix(h.Text, "…") {
		h.Text += " …"
	}
	return full && len(h.Lines) < len(x.Lines)
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
