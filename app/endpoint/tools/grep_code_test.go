package tools

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

func TestGrepAnswer(t *testing.T) {
	hit := func(n int, in string, before, after []string) api.GrepHit {
		return api.GrepHit{Line: n, Text: fmt.Sprint("line ", n), In: in, StartLine: 1, EndLine: 20, Before: before,
			After: after}
	}
	found := api.GrepResults{Total: 5, Searched: 9, Files: []api.GrepFile{
		{Path: "a.go", Total: 3, Hits: []api.GrepHit{hit(3, "F", []string{"b2"}, []string{"line 4"}),
			hit(4, "F", []string{"line 3"}, []string{"a5"}), hit(9, "", nil, nil)}},
		{Path: "b.go", Project: "p", Kind: "test", Total: 2},
	}}
	r := newGrepResult(found, 4000)
	if _, err := fit(r); err != nil {
		t.Fatal(err)
	}
	want := "a.go\n F 1-20\n2- b2\n3: line 3\n4: line 4\n5- a5\n9: line 9\n" +
		"More files with their number of matching lines:\np: b.go 2\n5 matching lines in 2 files.\n" +
		"3 of 5 matching lines are listed. Narrow the search with path, or raise limit and max_tokens."
	if got := r.readable(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	no := "No indexed file matches the path x."
	for want, none := range map[string]api.GrepResults{
		"No line of 1 file matches.":        {Searched: 1},
		no + "\nNo line of 1 file matches.": {Searched: 1, Notes: []string{no}},
		no:                                  {Notes: []string{no}},
		"No line of 0 files matches.":       {},
	} {
		if got := newGrepResult(none, 4000).readable(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestGrepAnswerFits checks that omissions are counted, and at least one line is listed.
func TestGrepAnswerFits(t *testing.T) {
	for _, size := range []struct{ files, hits int }{{1, 1000}, {300, 3}, {2000, 1}} {
		found := api.GrepResults{Total: size.files * size.hits}
		for i := range size.files {
			f := api.GrepFile{Path: fmt.Sprintf("folder/file%d.go", i), Total: size.hits}
			for n := range size.hits {
				f.Hits = append(f.Hits, api.GrepHit{Line: n + 1, Text: strings.Repeat("x", 100), In: fmt.Sprint("F", n/10),
					After: []string{"after"}})
			}
			found.Files = append(found.Files, f)
		}
		for _, limit := range []int{400, 4000, api.MaxResult} {
			r := newGrepResult(found, limit)
			text, err := fit(r)
			if err != nil || utf8.RuneCount(text) > limit || r.listed() == 0 || r.TotalHits != found.Total ||
				r.TotalFiles != size.files || !strings.Contains(strings.Join(r.Notes, ""), fmt.Sprintf("%d of %d", r.listed(),
				found.Total)) {
				t.Errorf("%+v, %d: %d characters, %d listed, %q, %v", size, limit, utf8.RuneCount(text), r.listed(), r.Notes, err)
			}
		}
	}
}
