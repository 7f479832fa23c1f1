package fulltext

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Words that stand together in the query mean more where they stand together in the text.
const (
	proximityBonus = 0.5     // share of what a score lacks, for a document that has the query as it stands
	maxProximity   = 1 << 16 // bytes of a text that are looked at
)

// boostProximity raises the scores of the first hits by how near to each other the query's words stand in them, and
// sorts again.
func (s *search) boostProximity(q Query, terms []string, found []Hit) {
	if q.Near == nil || len(terms) < 2 {
		return
	}
	ideal := span(q.Text, terms)
	termOf := make(map[string]int) // word of the index → term of the query
	for t, ms := range s.expansions {
		for _, m := range ms {
			termOf[m.word.text] = t
		}
	}
	words := NewSet(maps.Keys(termOf))
	for i := range found[:min(len(found), q.NearHits)] {
		best := 0.0
		for _, text := range q.Near(found[i].ID) {
			best = max(best, proximity(text, words, termOf, len(terms), ideal))
		}
		found[i].Score = round(found[i].Score + (1-found[i].Score)*proximityBonus*best)
	}
	sortHits(found)
}

func sortHits(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
}

// span is how many words lie from the first to the last of the terms in the query itself.
func span(query string, terms []string) int {
	first, last := -1, 0
	for i, w := range Words(query) {
		if slices.Contains(terms, w.Text) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return last - first + 1
}

// proximity is 1 where the terms stand as near as in the query, falls as they lie further apart, and with the terms
// that are missing.
func proximity(text string, words *Set, termOf map[string]int, terms, ideal int) float64 {
	if len(text) > maxProximity {
		text = text[:maxProximity]
	}
	type place struct{ at, term int }
	var places []place
	present := map[int]bool{}
	for n, w := range words.In(text) {
		t := termOf[w.Text]
		places = append(places, place{n, t})
		present[t] = true
	}
	if len(present) < 2 {
		return 0
	}
	counts, distinct, from, smallest := make([]int, terms), 0, 0, 0
	for _, p := range places {
		if counts[p.term]++; counts[p.term] == 1 {
			distinct++
		}
		for distinct == len(present) {
			first := places[from]
			if n := p.at - first.at + 1; smallest == 0 || n < smallest {
				smallest = n
			}
			from++
			if counts[first.term]--; counts[first.term] == 0 {
				distinct--
			}
		}
	}
	share := float64(len(present)) / float64(terms)
	return share * share * min(1, float64(ideal)/float64(smallest))
}
