package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// fits renders an output within the size of an answer and decodes what a client gets.
func fits(t *testing.T, b bounded, into any) {
	t.Helper()
	text, err := fit(b, api.MaxResult)
	if err != nil || utf8.RuneCount(text) > api.MaxResult {
		t.Fatalf("%d characters, %v", utf8.RuneCount(text), err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// TestMetadataNeverEmptiesAnAnswer has rows whose metadata are longer than an answer may be.
func TestMetadataNeverEmptiesAnAnswer(t *testing.T) {
	for _, size := range []int{4_000, 10_000, 40_000, 1_000_000} {
		a := &namedAnswer{NamedAnswer: api.NamedAnswer{Total: 12}}
		for i := range 12 {
			m := fmt.Sprintf(`{"author":"Smith","text":%q,"year":2026}`, strings.Repeat("x", size))
			a.Results = append(a.Results, api.NamedResult{DocID: fmt.Sprint(i), Highlights: []string{"found"}, Metadata: json.RawMessage(m)})
		}
		var got struct {
			Results []struct {
				Metadata struct {
					Author, Text string
					Year         int
				}
			}
			Notes   []string
			Omitted int
		}
		fits(t, a, &got)
		if len(got.Results) != 12 || got.Omitted != 0 || len(got.Notes) != 1 {
			t.Fatalf("%d bytes: %d results, %d omitted, notes %q", size, len(got.Results), got.Omitted, got.Notes)
		}
		if m := got.Results[11].Metadata; m.Author != "Smith" || m.Year != 2026 || !strings.HasSuffix(m.Text, "x…") {
			t.Errorf("%d bytes: %+v", size, m)
		}
	}
}

func TestOmittedResultsAreCounted(t *testing.T) {
	a := &namedAnswer{}
	for i := range 400 {
		a.Results = append(a.Results, api.NamedResult{DocID: fmt.Sprint(i), Highlights: []string{strings.Repeat("words ", 40)}, Metadata: json.RawMessage(`{}`)})
	}
	var got struct {
		Results []any
		Omitted int
	}
	fits(t, a, &got)
	if len(got.Results) < 50 || len(got.Results)+got.Omitted != 400 {
		t.Errorf("%d shown, %d omitted", len(got.Results), got.Omitted)
	}
}

// TestCitationsThatDontFitAreCounted: sentences are shortened first, every result keeps some of its citations, and the rest are
// counted where they are missing.
func TestCitationsThatDontFitAreCounted(t *testing.T) {
	for _, each := range []int{8, 60} {
		a := &api.ArchiveAnswer{}
		for i := range 50 {
			c := &api.Citations{Cited: []api.Citation{}}
			for j := range each {
				c.Citing = append(c.Citing, api.Citation{SourceID: fmt.Sprint("doc-", i), TargetURL: fmt.Sprintf("https://example.com/%d/%d", i, j),
					Context: strings.Repeat("a long sentence ", 15), Confidence: 1})
			}
			a.Results = append(a.Results, api.ArchiveResult{Document: api.ArchiveDocument{ID: fmt.Sprint("doc-", i), Title: "T"}, Citations: c})
		}
		var got struct {
			Results []struct {
				Citations struct {
					Citing  []any
					Omitted int
				}
			}
			Metadata struct{ Note string }
		}
		fits(t, archiveAnswer{a}, &got)
		if len(got.Results) != 50 || got.Metadata.Note == "" {
			t.Fatalf("%d results, note %q", len(got.Results), got.Metadata.Note)
		}
		for i, r := range got.Results {
			if n := len(r.Citations.Citing); n == 0 || n+r.Citations.Omitted != each {
				t.Errorf("result %d: %d shown, %d omitted of %d", i, n, r.Citations.Omitted, each)
			}
		}
	}
}
