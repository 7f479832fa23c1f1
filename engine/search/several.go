package search

import (
	"slices"

	"searchmcp/engine/store"
)

// firstOf is the number of nearest vectors, and of first candidates, that show a project's relevance to a question.
const firstOf = 3

// likeness returns the mean similarity of the nearest vectors, [0,1]. If vectors is empty, or for literal queries such
// as names and messages, it returns the score by words in words.
func likeness(q *parsedQuery, vectors []store.VectorHit, words float64) float64 {
	if len(vectors) == 0 || q.kind == symbol || q.message {
		return words
	}
	sum, n := 0.0, min(firstOf, len(vectors))
	for _, h := range vectors[:n] {
		sum += h.Score
	}
	return min(1, max(0, (sum/float64(n)-unrelatedCosine)/(similarCosine-unrelatedCosine)))
}

// likenessWeight is high, because unlike the rarity of words, cosines are comparable between projects.
const likenessWeight = 0.5

// relevance returns the relevance of each project to the query, by likeness and by words. The score by words is the
// strength or, if static vectors were searched, which rank worse, the coverage of the first candidates. Each word has
// the mean of its weights in all projects, so that coverage is comparable.
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

const weakProject = 0.6 // minimum score of a relevant project, as a fraction of the best

// Compare makes the scores of one query in several projects comparable and reports which projects are relevant: those
// that contain a name in the query or, if none does, those that are not weak.
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
		r.Strength = min(1, joint[i]*strength/max(best, 1e-9)) // the best project keeps its strength
	}
	return relevant
}

func (r *Ranked) names() bool {
	first := r.rank.candidates[:min(len(r.rank.candidates), r.query.Offset+r.query.TopK)]
	return slices.ContainsFunc(first, func(c *candidate) bool { return r.rank.q.containsName(c.body()) })
}
