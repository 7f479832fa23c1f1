package search

import (
	"cmp"
	"slices"

	"searchmcp/engine/api"
	"searchmcp/engine/search/excerpt"
)

// More of the files that most likely answer is shown behind all results, where it delays none of them: what the first
// result had no room for, and each file's next best chunks. On the benchmark that shows the telling lines of a fifth of
// the questions whose right file was found without them (docs/ranking.md).
const (
	moreFiles  = 3
	moreShare  = 0.7 // of the first result's score, below which a file has no more
	moreChunks = 2
	moreRoom   = 100 // bytes of each of these chunks
	restRoom   = 200 // bytes of the first result's own
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

// moreLines gives the first hits further lines of their files. found is everything that was found, shown what the hits
// are made of.
func moreLines(words *excerpt.Query, found, shown []hit, hits []api.Hit) {
	for n, i := range withMore(hits) {
		h := &hits[i]
		var picked []excerpt.Line
		if n == 0 {
			picked = words.Pick(shown[i].source(), roomOf(api.DetailExcerpt, i)+restRoom).Lines
		}
		chunks := 0
		for _, other := range found {
			if other.path != h.Path || chunks == moreChunks || slices.ContainsFunc(shown, other.same) {
				continue
			}
			if x := words.Pick(other.source(), moreRoom); !x.Header {
				chunks++
				picked = append(picked, x.Lines...)
			}
		}
		var lines []api.Line
		for _, l := range picked {
			if !shows(hits, h.Path, l.Number) && !hasLine(lines, l.Number) {
				lines = append(lines, api.Line(l))
			}
		}
		slices.SortFunc(lines, func(a, b api.Line) int { return cmp.Compare(a.Number, b.Number) })
		h.More = gapped(lines, 0, -1) // each stretch says where it begins
	}
}

// same reports whether two hits are of the same place.
func (h hit) same(other hit) bool { return h.path == other.path && h.start == other.start }

// source is what a hit's excerpts are made of.
func (h hit) source() excerpt.Source {
	return excerpt.Source{Text: h.text, First: h.start, Language: h.chunk.Language, Symbols: h.symbols}
}

// shows reports whether one of the hits shows a file's line.
func shows(hits []api.Hit, path string, number int) bool {
	return slices.ContainsFunc(hits, func(h api.Hit) bool { return h.Path == path && hasLine(h.Lines, number) })
}

func hasLine(lines []api.Line, number int) bool {
	return slices.ContainsFunc(lines, func(l api.Line) bool { return l.Number == number })
}
