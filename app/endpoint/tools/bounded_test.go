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
