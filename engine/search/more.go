package search

import (
	"cmp"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/search/excerpt"
)

// Further lines of the files that most likely answer stand behind all results, where they delay none of them: what a
// file's result had no room for, and its next best chunks. They show the telling lines of 65 of the benchmark's 295
// questions whose results don't (docs/ranking.md).
const (
	moreFiles  = 3
	moreShare  = 0.7 // of the first result's score, below which a file has no more
	moreChunks = 2
	moreRoom   = 100 // bytes of each of these chunks
)

// withMore are the hits whose files have more to show, by number.
func withMore(hits []api.Hit) (which []int) {
	for i, h := range hits {
		if len(which) == moreFiles || h.Score < moreShare*hits[0].Score {
			break
		}
		if !slices.ContainsFunc(which, func(k int) bool { return hits[k].Path == h.Path && hits[k].Project == h.Project }) {
			which = append(which, i)
		}
	}
	return which
}

// others picks the telling lines of a file's next best chunks. found is everything that was found, shown what the hits
// are made of.
func others(words *excerpt.Query, path string, found, shown []hit) (lines []api.Line) {
	n := 0
	for _, h := range found {
		if h.path != path || n == moreChunks || slices.ContainsFunc(shown, h.same) {
			continue
		}
		x := words.Pick(h.source(), moreRoom)
		if x.Header {
			continue
		}
		n++
		for _, l := range x.Lines {
			lines = append(lines, api.Line(l))
		}
	}
	return lines
}

// wantsMore reports whether an answer has further lines: not a page, whole chunks or so many tokens.
func wantsMore(q api.Query) bool {
	return q.Detail == api.DetailExcerpt && q.Offset == 0 && q.MaxTokens == 0
}

// moreLines gives the first hits the further lines of their files.
func moreLines(hits []api.Hit, q api.Query) {
	for i := range hits {
		hits[i].More = ""
	}
	if !wantsMore(q) {
		return
	}
	for _, i := range withMore(hits) {
		h := &hits[i]
		var lines []api.Line
		for _, l := range slices.Concat(h.Excerpt.Lines, h.Excerpt.Others) {
			if !shows(hits, *h, l.Number) && !hasLine(lines, l.Number) {
				lines = append(lines, l)
			}
		}
		slices.SortFunc(lines, func(a, b api.Line) int { return cmp.Compare(a.Number, b.Number) })
		h.More = gapped(lines, 0, -1) // each stretch says where it begins
	}
}

// shows reports whether one of the hits shows a line of a hit's file.
func shows(hits []api.Hit, of api.Hit, number int) bool {
	return slices.ContainsFunc(hits, func(h api.Hit) bool {
		return h.Path == of.Path && h.Project == of.Project && hasLine(h.Lines, number)
	})
}

func hasLine(lines []api.Line, number int) bool {
	return slices.ContainsFunc(lines, func(l api.Line) bool { return l.Number == number })
}
