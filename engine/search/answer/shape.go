package answer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// codeRooms and docsRooms are what the excerpts of an answer's results may take, in bytes, by rank; what is behind them
// is told in a line.
var (
	codeRooms = []int{700, 300, 200}
	docsRooms = []int{1000, 500, 300}
)

// Rooms that are the same at every rank.
const (
	longRoom  = 900 // of DetailLong
	shortRoom = 200 // of DetailShort: some four lines
)

const (
	// A result below weakShare of the first one's score, and behind the first strong of them, is noise. On the benchmark
	// it takes a fifth of all results, and none that answers.
	weakShare = 0.25
	strong    = 3
	// unsure is the score of the first result below which no answer is sure: half of them are right (docs/ranking.md).
	unsure = 0.3

	charsPerToken = 4  // of English and of code, near enough for a bound
	minRoom       = 80 // bytes that the first result has, however small the bound
	fieldsLength  = 90 // about what a result takes beside path and text: names of fields, numbers, punctuation
	maxMore       = 12 // declarations behind the results
)

// Room is the most that is shown of the result at a rank, from 0; 0: its place is told in a line.
func Room(q api.Query, rank int) int {
	list := codeRooms
	if q.Corpus == api.CorpusDocs {
		list = docsRooms
	}
	switch {
	case q.Detail == api.DetailLong:
		return longRoom
	case q.Detail == api.DetailShort:
		return shortRoom
	case rank < len(list):
		return list[rank]
	}
	return 0
}

// Shape gives each hit of a page its text and its lines, and leaves out what is too weak or too much. It is called once
// for an answer, whether its hits are one project's or several's.
func Shape(r *api.Results, q api.Query) {
	budget := api.MaxResult
	if q.MaxTokens > 0 {
		budget = min(budget, charsPerToken*q.MaxTokens)
	}
	r.Weak = 0
	if plain(q) && q.TopK <= api.DefaultTopK {
		n := len(r.Hits)
		for n > strong && r.Hits[n-1].Score < weakShare*r.Hits[0].Score {
			n--
		}
		r.Hits, r.Weak = r.Hits[:n], len(r.Hits)-n
	}
	for i := range r.Hits {
		h := &r.Hits[i]
		h.Weak = q.Offset == 0 && (r.Hits[0].Score < unsure ||
			i >= strong && h.Score < weakShare*r.Hits[0].Score)
		left := max(budget-fieldsLength-len(h.Path), minRoom)
		cut := show(h, q.Detail, min(Room(q, q.Offset+i), left), left)
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

// plain reports whether nobody asked for a number of results, a page or whole chunks.
func plain(q api.Query) bool {
	return (q.Detail == api.DetailExcerpt || q.Detail == api.DetailShort) && q.Offset == 0 && !q.Weak
}

// more are the declarations that an answer of no certain size names behind its results.
func more(r *api.Results, q api.Query) (out []api.Told) {
	if len(r.Hits) == 0 || !plain(q) || q.MaxTokens > 0 {
		return nil
	}
	for _, t := range r.More {
		if len(out) == maxMore || t.Score < weakShare*r.Hits[0].Score {
			break
		}
		out = append(out, t)
	}
	return out
}

// show gives a hit its text: an excerpt of about room bytes, or the whole chunk up to limit characters. cut says that
// the whole did not fit.
func show(h *api.Hit, detail api.Detail, room, limit int) (cut bool) {
	x := h.Excerpt
	if x == nil { // it came with its text
		return false
	}
	h.Best, h.StartLine, h.EndLine = x.Best, x.Start, x.End
	if detail == api.DetailFull {
		h.Text, cut = fitBudget(x.Text, limit)
		h.StartLine, h.Lines = x.First, nil
		h.EndLine = x.First + strings.Count(strings.TrimSuffix(x.Text, "\n"), "\n")
		return cut
	}
	h.Lines = pick(x, room)
	h.Text = gapped(h.Lines, h.StartLine, h.EndLine)
	if room == 0 {
		h.Text = x.Line
	}
	return false
}

// gapped joins lines, marking where some are left out.
func gapped(lines []api.Line, start, end int) string {
	var b strings.Builder
	next := start
	for _, l := range lines {
		if l.Number > next {
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

// fitBudget keeps as many whole lines as fit a budget of characters and says what is cut.
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
