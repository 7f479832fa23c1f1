package project

import (
	"testing"

	"searchmcp/engine/api"
)

// TestProjectsAreMerged: over projects, what has the name stands before what has words of it, and a project that hardly
// answers says nothing.
func TestProjectsAreMerged(t *testing.T) {
	hit := func(path string, score float64, whole bool) api.Hit {
		return api.Hit{Path: path, Score: score, Whole: whole}
	}
	for _, test := range []struct {
		name    string
		answers [][]api.Hit
		want    []string
		total   int
	}{
		{"the whole name is in one", [][]api.Hit{
			{hit("workflow", 0.95, false), hit("shell", 0.9, false)},
			{hit("evict.c", 0.8, true), hit("server.h", 0.5, true), hit("perform.c", 0.7, false)},
		}, []string{"evict.c", "server.h", "perform.c"}, 3},
		{"it is in two, and only further down in one", [][]api.Hit{
			{hit("parts", 0.9, false), hit("uses", 0.6, true)}, {hit("defines", 0.95, true)},
		}, []string{"defines", "uses", "parts"}, 3},
		{"words", [][]api.Hit{
			{hit("good", 0.8, false), hit("next", 0.5, false)}, {hit("weak", 0.4, false)}, {hit("near", 0.6, false)}, nil,
		}, []string{"good", "near", "next"}, 3},
	} {
		answers := make([]api.Results, len(test.answers))
		for i, hits := range test.answers {
			answers[i] = api.Results{Hits: hits, Total: len(hits)}
		}
		all := together(answers, make([]string, len(answers)))
		var got []string
		for _, h := range all.Hits {
			got = append(got, h.Path)
		}
		if len(got) != len(test.want) || all.Total != test.total {
			t.Fatalf("%s: %q, %d in all", test.name, got, all.Total)
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
				break
			}
		}
	}
}
