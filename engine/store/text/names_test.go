package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
)

func TestFilesWithNames(t *testing.T) {
	const long = "CampaignDraftErrorEnum_CampaignDraftError_ofCampaignDraft_value"
	x := testIndex(t,
		row("a.go", "const "+long+" = 1", long), row("b.go", "use("+long+")"),
		row("c.go", "the campaign's draft has an error"), row("d.go", "var of = 1", "of"),
		row("e.go", "Draft.errorEnum value campaign"), row("f.go", "rotate()"),
	)
	for _, test := range []struct {
		name    string
		defined bool
		want    []string
		unknown bool
	}{
		{name: "rotate", want: []string{"f.go"}},
		{name: "rotate", defined: true},
		{name: long, want: []string{"a.go", "b.go", "e.go"}}, // by its parts, which e.go has too
		{name: long, defined: true, want: []string{"a.go"}},
		{name: long + "s_missing"},
		{name: "campaign draft", want: []string{"a.go", "b.go", "c.go", "e.go"}},
		{name: "campaign rotate"},
		{name: "of", unknown: true},
		{name: "", unknown: true},
		{name: "of", defined: true, want: []string{"a.go", "d.go"}},
	} {
		list, err := x.FilesWith(t.Context(), Names{All: strings.Fields(test.name), Defined: test.defined}, nil)
		must(t, err)
		var got []string
		for _, r := range list.Rows {
			got = append(got, r.Path)
		}
		if slices.Sort(got); !slices.Equal(got, test.want) || list.Unknown != test.unknown {
			t.Errorf("%s, defined %v: %v, %v", test.name, test.defined, got, list.Unknown)
		}
	}
}

func TestFilesWithNamesUntil(t *testing.T) {
	const files = 3 * rowsPerCheck
	rows := make([]api.Chunk, files)
	for i := range rows {
		rows[i] = row(fmt.Sprintf("f%d.go", i), "rotate()")
	}
	x := testIndex(t, rows...)
	over := time.Now().Add(-time.Second) // in the past, because some clocks are too coarse
	list, err := x.FilesWith(t.Context(), Names{All: []string{"rotate"}, Until: over}, nil)
	must(t, err)
	if n := len(list.Rows); n == 0 || n >= files || n+list.Omitted != files {
		t.Errorf("%d files and %d more, want %d", n, list.Omitted, files)
	}
}
