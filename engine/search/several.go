package search

import (
	"slices"

	"searchmcp/engine/store"
)

// nearestOf is the number of vectors that show how relevant a project is to a question.
const nearestOf = 3

// likeness returns the mean similarity of the nearest vectors, [0,1]. Without vectors, and for literal queries such as
// names and messages, it returns the given score by words.
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

// likenessWeight is the weight of likeness when projects are compared. Unlike the rarity of words, cosines are
// comparable between projects.
const likenessWeight = 0.5

// weakProject is the fraction of the best project's score below which a project is dropped.
const weakProject = 0.6

// Compare makes the scores of one query in several projects comparable, and reports which projects are relevant: those
// that contain a name of the query or, without such a project, all that are not weak.
func Compare(all []*Ranked) (relevant []bool) {
	best, strength, named := 0.0, 0.0, false
	joint := make([]float64, len(all))
	relevant = make([]bool, len(all))
	for i, r := range all {
		joint[i] = likenessWeight*r.likeness + (1-likenessWeight)*r.Strength
		if joint[i] > best {
			best, strength = joint[i], r.Strength
		}
		relevant[i] = r.names()
		named = named || relevant[i]
	}
	for i, r := range all {
		relevant[i] = relevant[i] || !named && joint[i] >= weakProject*best
		r.Strength = min(1, joint[i]*strength/max(best, 1e-9)) // the best project keeps its strength
	}
	return relevant
}

func (r *Ranked) names() bool {
	first := r.rank.candidates[:min(len(r.rank.candidates), r.query.Offset+r.query.TopK)]
	return slices.ContainsFunc(first, func(c *candidate) bool { return r.rank.q.containsName(c.body()) })
}
