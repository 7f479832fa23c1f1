package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// Rooms are what the excerpts of an answer's results may take, in bytes, by rank; all further ones have the last. A
// first result that is sure is shown at length. Where it is doubtful, any of the ten may be the right one, so that all
// are to be read within 500 tokens, names of fields and escapes included; what the first had no room for stands behind
// them (moreLines).
var (
	sureRooms = []int{400, 160, 80, 60, 40}
	rooms     = []int{200, 100, 60, 40}
)

// Rooms that are the same at every rank.
const (
	longRoom  = 900 // of DetailLong
	shortRoom = 200 // of DetailShort: some four lines
	fileRoom  = 500 // of a file whose further lines are shown behind the results, what its result shows included
)

// roomOf is the room of the result at a rank, from 0. Merged with other projects' results, a result ranks no better
// than before, so that an excerpt made for its rank is never too short.
func roomOf(d api.Detail, rank int, sure bool) int {
	switch {
	case d == api.DetailLong:
		return longRoom
	case d == api.DetailShort:
		return shortRoom
	case sure:
		return sureRooms[min(rank, len(sureRooms)-1)]
	}
	return rooms[min(rank, len(rooms)-1)]
}

// pickRoom is the most that is shown of the result at a rank, whatever the answer's shape.
func pickRoom(d api.Detail, rank int) int {
	if d == api.DetailExcerpt && rank < moreFiles {
		return fileRoom
	}
	return roomOf(d, rank, true)
}

// A result below weakShare of the first one's score, and behind the first strong of them, is noise. On the benchmark it
// takes a fifth of all results, and none that answers.
const (
	weakShare = 0.25
	strong    = 3
)

// unsure is the score of the first result below which no answer is sure: half of them are right (docs/ranking.md).
const unsure = 0.3

const (
	charsPerToken = 4  // of English and of code, near enough for a bound
	minRoom       = 80 // bytes that the first result has, however small the bound: its declaration
	leastLine     = 30 // bytes of room below which no further line is tried
	markLength    = 3  // bytes that the mark of a gap takes of the room, on average
	maxBetween    = 3  // lines
)

// fieldsLength is about what a result takes beside path and text: names of fields, numbers, punctuation.
const fieldsLength = 90

// Shape gives each hit of a page its text and its lines, and leaves out what is too weak or too much. Who merges the
// hits of several projects calls it again.
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
		h.Weak = !q.Related && q.Offset == 0 && (r.Hits[0].Score < unsure ||
			i >= strong && h.Score < weakShare*r.Hits[0].Score)
		left := budget - fieldsLength - len(h.Path)
		room := roomOf(q.Detail, q.Offset+i, r.Hits[0].Score >= doubtful)
		cut := show(h, q.Detail, min(room, max(left, minRoom)), max(left, minRoom))
		n := fieldsLength + len(h.Path) + utf8.RuneCountInString(h.Text)
		if n > budget && i > 0 {
			r.Hits = r.Hits[:i]
			break
		}
		r.Truncated = r.Truncated || cut
		budget -= n
	}
	r.Truncated = r.Truncated || r.Total > q.Offset+len(r.Hits)
	moreLines(r.Hits, q)
}

// plain reports whether nobody asked for a number of results, a page or whole chunks.
func plain(q api.Query) bool {
	return (q.Detail == api.DetailExcerpt || q.Detail == api.DetailShort) && q.Offset == 0 && !q.Weak
}

// show gives a hit its text: an excerpt of about room bytes, or the whole chunk up to limit characters. cut says that
// the whole did not fit.
func show(h *api.Hit, detail api.Detail, room, limit int) (cut bool) {
	e := h.Excerpt
	h.Best = e.Best
	if detail == api.DetailFull {
		h.Text, cut = fitBudget(e.Text, limit)
		h.StartLine, h.Lines = e.First, nil
		h.EndLine = e.First + strings.Count(strings.TrimSuffix(e.Text, "\n"), "\n")
		return cut
	}
	h.Lines = within(e, room)
	if !hasLine(h.Lines, e.Best) {
		h.Best = e.Lines[0].Number // the best line was too long for the room
	}
	h.StartLine = min(e.Start, h.Lines[0].Number)
	h.EndLine = max(e.End, h.Lines[len(h.Lines)-1].Number)
	h.Text = gapped(h.Lines, h.StartLine, h.EndLine)
	return false
}

// within picks the lines for a room, in the order of the file, with the blank lines between them.
func within(e *api.Excerpt, room int) []api.Line {
	var picked []api.Line
	for i, l := range e.Lines {
		n := len(l.Text) + 1
		if i > 0 && n > room {
			if room < leastLine {
				break
			}
			continue
		}
		room -= n + markLength
		picked = append(picked, l)
	}
	slices.SortFunc(picked, func(a, b api.Line) int { return cmp.Compare(a.Number, b.Number) })
	source := strings.Split(e.Text, "\n")
	var out []api.Line
	for i, l := range picked {
		if i > 0 {
			out = append(out, between(source, e.First, picked[i-1].Number, l.Number)...)
		}
		out = append(out, l)
	}
	if last := out[len(out)-1].Number; last < e.End {
		out = append(out, between(source, e.First, last, e.End+1)...)
	}
	return out
}

// between are the lines between two picked ones, where they are few and hold next to nothing: cheaper than to say that
// they are left out.
func between(source []string, first, from, to int) []api.Line {
	if to-from-1 > maxBetween {
		return nil
	}
	var out []api.Line
	for n := from + 1; n < to; n++ {
		if n < first || n-first >= len(source) {
			return nil
		}
		text := strings.TrimRight(source[n-first], "\r")
		if len(strings.TrimSpace(text)) > len("})") {
			return nil
		}
		out = append(out, api.Line{Number: n, Text: text})
	}
	return out
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
