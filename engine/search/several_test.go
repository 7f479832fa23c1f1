package search

import (
	"math"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// A project with weaker results than others is not relevant. A project with the name wins over projects with its words.
// The best project keeps its score.
func TestCompare(t *testing.T) {
	type project struct {
		strength, likeness float64
		text               string
		matched            []uint64 // query words in each candidate, as bits
	}
	for _, test := range []struct {
		name, query string
		projects    []project
		relevant    []bool
		best        int
	}{
		{"one", "open a door", []project{{0.1, 0, "", []uint64{1}}}, []bool{true}, 0},
		{"the name is in one", "performEvictions",
			[]project{{0.95, 0.9, "perform evictions", nil}, {0.5, 0.2, "int performEvictions(void)", nil}},
			[]bool{false, true}, 0},
		{"the name is in none", "performEvictions",
			[]project{{0.9, 0.8, "perform", nil}, {0.8, 0.7, "evict", nil}, {0.3, 0.2, "", nil}},
			[]bool{true, true, false}, 0},
		{"words", "open a door", []project{{0.8, 0.5, "", []uint64{3, 3, 3}}, {0.2, 0.1, "", []uint64{1}},
			{0.6, 0.5, "", []uint64{3, 1}}}, []bool{true, false, true}, 0},
		{"nearer vectors", "open a door", []project{{0.6, 0.2, "", []uint64{3, 3, 3}}, {0.5, 0.6, "", []uint64{3, 3, 3}}},
			[]bool{true, true}, 1},
		{"more of the words", "open a door", []project{{0.9, 0.5, "", []uint64{1}}, {0.5, 0.5, "", []uint64{3, 3, 3}}},
			[]bool{false, true}, 1},
	} {
		q := api.Query{Text: test.query, TopK: 10}
		parsed := parseQuery(q)
		parsed.setWeights(nil)
		all := make([]*Ranked, len(test.projects))
		for i, p := range test.projects {
			candidates := []*candidate{{Passage: answer.Passage{Lines: []string{p.text}}}}
			for n, m := range p.matched {
				candidates = append(candidates[:n], &candidate{matched: text.Set{m}})
			}
			all[i] = &Ranked{query: q, Strength: p.strength, likeness: p.likeness,
				rank: ranking{q: &parsed, candidates: candidates, static: true}}
		}
		if relevant := Compare(all); !slices.Equal(relevant, test.relevant) {
			t.Errorf("%s: projects %v are relevant, want %v", test.name, relevant, test.relevant)
		}
		for i, r := range all {
			if i != test.best && r.Strength >= all[test.best].Strength {
				t.Errorf("%s: %d scores %.2f, %d %.2f", test.name, i, r.Strength, test.best, all[test.best].Strength)
			}
		}
		if got, want := all[test.best].Strength, test.projects[test.best].strength; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: the best scores %.2f, alone %.2f", test.name, got, want)
		}
	}
}

func TestLikeness(t *testing.T) {
	near := []store.VectorHit{{Score: 0.75}, {Score: 0.75}}
	for _, test := range []struct {
		query string
		hits  []store.VectorHit
		want  float64
	}{
		{"open a door", nil, 0.4}, {"openDoor", near, 0.4}, {"open a door", near, 1},
		{"open a door", []store.VectorHit{{Score: 0.1}}, 0},
		{"open a door", append(slices.Repeat([]store.VectorHit{{Score: 0.475}}, firstOf), near...), 0.5},
	} {
		parsed := parseQuery(api.Query{Text: test.query})
		if got := likeness(&parsed, test.hits, 0.4); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s, %d hits: %.2f, want %.2f", test.query, len(test.hits), got, test.want)
		}
	}
}
