package search

import (
	"slices"

	"searchmcp/engine/store"
)

// firstOf is the number of best results that determine a project's relevance.
const firstOf = 3

// likeness returns the mean similarity of the nearest vectors, [0,1]. For a name or message, it returns the score by
// words.
func likeness(q *parsedQuery, vectors []store.VectorHit, byWords float64) float64 {
	if len(vectors) == 0 || q.kind == symbol || q.message {
		return byWords
	}
	sum, n := 0.0, min(firstOf, len(vectors))
	for _, h := range vectors[:n] {
		sum += h.Score
	}
	return min(1, max(0, (sum/float64(n)-unrelatedCosine)/(similarCosine-unrelatedCosine)))
}

// likenessWeight is high because cosines are comparable between projects, and scores by words are not.
const likenessWeight = 0.5

func relevance(all []*Ranked) []float64 {
	out, weights := make([]float64, len(all)), make([]float64, len(all[0].rank.q.words))
	static := false
	for _, r := range all {
		static = static || r.rank.static
		for i, w := range r.rank.q.words {
			weights[i] += w.Weight / float64(len(all))
		}
	}
	kind := all[0].rank.q.kind
	for i, r := range all {
		words := r.Strength
		if static && !kind.isName() {
			words = 0
			for _, c := range r.rank.candidates[:min(firstOf, len(r.rank.candidates))] {
				for n, w := range weights {
					if c.matched.Has(n) {
						words += w / firstOf
					}
				}
			}
		}
		out[i] = likenessWeight*r.likeness + (1-likenessWeight)*words
	}
	return out
}

const weakProject = 0.6 // minimum relevance of a project, as a fraction of the best project's

// Compare makes the scores of one query in several projects comparable. It reports which projects are relevant: those
// that contain a name in the query or, if none does, those that score almost as high as the best.
func Compare(all []*Ranked) (relevant []bool) {
	best, strength, named := 0.0, 0.0, false
	joint := relevance(all)
	relevant = make([]bool, len(all))
	for i, r := range all {
		if joint[i] > best {
			best, strength = joint[i], r.Strength
		}
		relevant[i] = r.names()
		named = named || relevant[i]
	}
	for i, r := range all {
		relevant[i] = relevant[i] || !named && joint[i] >= weakProject*best
		r.Strength = min(1, joint[i]*strength/max(best, 1e-9)) // the best project keeps its score
	}
	return relevant
}

func (r *Ranked) names() bool {
	first := r.rank.candidates[:min(len(r.rank.candidates), r.query.Offset+r.query.TopK)]
	return slices.ContainsFunc(first, func(c *candidate) bool { return r.rank.q.containsName(c.body()) })
}
