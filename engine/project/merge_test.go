package project

import (
	"slices"
	"testing"

	"searchmcp/engine/api"
)

func TestBetter(t *testing.T) {
	var all api.Results
	for _, hits := range [][]api.Hit{
		{{Path: "workflow", Score: 0.95}, {Path: "uses", Score: 0.6, Whole: true}},
		{{Path: "evict.c", Score: 0.8, Whole: true}, {Path: "perform.c", Score: 0.7}}, nil,
	} {
		mergeResults(&all, api.Results{Hits: hits, Total: len(hits)}, "p", false)
	}
	slices.SortStableFunc(all.Hits, better)
	var got []string
	for _, h := range all.Hits {
		got = append(got, h.Path)
	}
	if want := []string{"evict.c", "uses", "workflow", "perform.c"}; !slices.Equal(got, want) || all.Total != 4 {
		t.Errorf("%q, %d in all, want %q", got, all.Total, want)
	}
}
