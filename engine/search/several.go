package search

import (
	"slices"

	"searchmcp/engine/store"
)

// nearestOf is how many neighbours say how much a project is about a question. One may be like it by chance, and what
// the tenth says depends on how large the project is.
const nearestOf = 3

// likeness is that of the nearest vectors, [0,1]. Without vectors, and for a name or a message, which are meant to the
// letter, it is what the words say.
func likeness(q *parsedQuery, vectors []store.VectorHit, words float64) float64 {
	if len(vectors) == 0 || q.kind == symbol || q.kind == message {
		return words
	}
	sum, n := 0.0, min(nearestOf, len(vectors))
	for _, h := range vectors[:n] {
		sum += h.Score
	}
	return min(1, max(0, (sum/float64(n)-unrelatedCosine)/(similarCosine-unrelatedCosine)))
}

// likenessShare is what likeness counts where several projects are compared: a project's best place says how it
// answers, and words that are rare in it may be common in another; cosines are measured alike in all.
const likenessShare = 0.5

// weakProject is the share of the best project's score below which another says nothing: with less it answers some
// words of the question.
const weakProject = 0.6

// Compare makes the scores of one query in several projects comparable, and reports which of them say something beside
// the others: where some have a name of the query, those, else those that are not weak.
func Compare(all []*Ranked) (says []bool) {
	best, strength, named := 0.0, 0.0, false
	joint := make([]float64, len(all))
	says = make([]bool, len(all))
	for i, r := range all {
		joint[i] = likenessShare*r.likeness + (1-likenessShare)*r.Strength
		if joint[i] > best {
			best, strength = joint[i], r.Strength
		}
		says[i] = r.names()
		named = named || says[i]
	}
	for i, r := range all {
		says[i] = says[i] || !named && joint[i] >= weakProject*best
		r.Strength = min(1, joint[i]*strength/max(best, 1e-9)) // the best keeps its own
	}
	return says
}

// names reports whether one of the first candidates has a name of the query as a whole.
func (r *Ranked) names() bool {
	first := r.rank.candidates[:min(len(r.rank.candidates), r.query.Offset+r.query.TopK)]
	return slices.ContainsFunc(first, func(c *candidate) bool { return r.rank.q.inWhole(c.body()) })
}
