package tools

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// TestSymbolNotes checks that an answer never denies a definition or a use that may exist, whatever other notes it has.
func TestSymbolNotes(t *testing.T) {
	defined := []api.SymbolDefinition{{Name: "f", Path: "a.go"}}
	for name, test := range map[string]struct {
		found api.SymbolResults
		want  string // "" if nothing may be denied
	}{
		"no file has the name":   {api.SymbolResults{Missing: true}, "No definition of that name"},
		"not all files are read": {api.SymbolResults{Unread: 3}, ""},
		"text in another file":   {api.SymbolResults{TotalText: 1}, "No uses in code"},
		"defined, not used":      {api.SymbolResults{Definitions: defined}, "No uses found"},
		"defined, files unread":  {api.SymbolResults{Definitions: defined, Unread: 1}, ""},
		"possible uses":          {api.SymbolResults{Definitions: defined, TotalPossible: 1}, "No definite uses"},
		"definite uses":          {api.SymbolResults{Definitions: defined, TotalUses: 1}, ""},
		"similar names":          {api.SymbolResults{Definitions: defined, Like: true}, "No definition has"},
	} {
		test.found.Notes = []string{"The index is being built."}
		got := ""
		for _, note := range newSymbolResult(test.found, api.SymbolQuery{Name: "f", Uses: true}, 0).Notes {
			if strings.HasPrefix(note, "No ") {
				got += note
			}
		}
		if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestHitsInTestsAreReported(t *testing.T) {
	for inTests, want := range map[bool]int{true: 1, false: 2} {
		r := &searchResult{notes: notes{Notes: []string{"Only in tests: a_test.go:1."}}}
		if r.explain(api.Results{InTests: inTests}, api.Query{Text: "f"}); len(r.Notes) != want {
			t.Errorf("%q", r.Notes)
		}
	}
}
