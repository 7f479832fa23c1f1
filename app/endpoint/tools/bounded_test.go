package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// fits renders b, checks the size limit, and decodes the client's result.
func fits(t *testing.T, b bounded, into any) {
	t.Helper()
	text, err := fit(b)
	if err != nil || utf8.RuneCount(text) > api.MaxResult {
		t.Fatalf("%d characters, %v", utf8.RuneCount(text), err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// TestMetadataNeverEmptiesAnAnswer returns rows whose metadata exceeds the limit of an answer.
func TestMetadataNeverEmptiesAnAnswer(t *testing.T) {
	for _, size := range []int{4_000, 10_000, 40_000, 1_000_000} {
		a := &namedAnswer{NamedAnswer: api.NamedAnswer{Total: 12}}
		for i := range 12 {
			m := fmt.Sprintf(`{"author":"Smith","text":%q,"year":2026}`, strings.Repeat("x", size))
			a.Results = append(a.Results, api.NamedResult{DocID: fmt.Sprint(i), Highlights: []string{"found"},
				Metadata: json.RawMessage(m)})
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
		a.Results = append(a.Results, api.NamedResult{DocID: fmt.Sprint(i), Highlights: []string{strings.Repeat("words ",
			40)}, Metadata: json.RawMessage(`{}`)})
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

// citingResults returns results with a number of citations each, a graph and long excerpts.
func citingResults(results, each int) *api.ArchiveAnswer {
	a := &api.ArchiveAnswer{CitationGraph: &api.CitationGraph{},
		Metadata: api.ArchiveMetadata{TotalResults: results, Offset: 100}}
	for i := range results {
		id := fmt.Sprint("doc-", i)
		c := &api.Citations{Cited: []api.Citation{}}
		a.CitationGraph.Nodes = append(a.CitationGraph.Nodes, api.CitationNode{ID: id})
		for j := range each {
			url := fmt.Sprintf("https://example.com/%d/%d", i, j)
			c.Citing = append(c.Citing, api.Citation{SourceID: id, TargetURL: url, Context: strings.Repeat("a long sentence ",
				15), Confidence: 1})
			a.CitationGraph.Nodes = append(a.CitationGraph.Nodes, api.CitationNode{ID: url})
			a.CitationGraph.Edges = append(a.CitationGraph.Edges, api.CitationEdge{From: id, To: url})
		}
		a.Results = append(a.Results, api.ArchiveResult{Document: api.ArchiveDocument{ID: id, Title: "T"}, Citations: c,
			Highlights: []api.Highlight{{Field: "content", Snippets: slices.Repeat([]string{strings.Repeat("word ", 32)}, 3)}}})
	}
	return a
}

// TestCitationsHaveRoom checks that every result keeps citations, that omitted citations are counted, and that omitted
// results begin the next page. A single result keeps about 200 citations.
func TestCitationsHaveRoom(t *testing.T) {
	for _, test := range []struct{ results, each, least, all int }{
		{10, 8, 10, 8}, {50, 3, 15, 3}, {50, 8, 10, 8}, {50, 60, 6, leastCitations}, {10, 400, 6, leastCitations},
		{1, 200, 1, 200}, {1, 500, 1, 200}, {2, 500, 2, leastCitations},
	} {
		name := fmt.Sprintf("%d results of %d citations", test.results, test.each)
		var got api.ArchiveAnswer
		fits(t, &archiveAnswer{citingResults(test.results, test.each)}, &got)
		n := len(got.Results)
		if n < test.least || n < test.results && (got.Metadata.NextOffset != 100+n ||
			!strings.Contains(got.Metadata.Note, "nextOffset")) ||
			n == test.results && got.Metadata.NextOffset != 0 || got.Metadata.TotalResults != n {
			t.Errorf("%s: %d results, %+v", name, n, got.Metadata)
		}
		shown := 0
		for i, r := range got.Results {
			had := len(r.Citations.Citing)
			shown += had
			if had < test.all || had+r.Citations.Omitted != test.each ||
				r.Citations.Omitted > 0 && !strings.Contains(got.Metadata.Note, "omitted") {
				t.Errorf("%s: the %d. has %d and %d omitted; note %q", name, i+1, had, r.Citations.Omitted, got.Metadata.Note)
			}
		}
		if g := got.CitationGraph; (g == nil) != (n == 1) || g != nil && (len(g.Edges) != shown || len(g.Nodes) != shown+n) {
			t.Errorf("%s: %d citations, graph %v", name, shown, g != nil)
		}
	}
}

// TestLongTitlesAreShortened checks that a title of a megabyte neither empties an answer nor exceeds its limit.
func TestLongTitlesAreShortened(t *testing.T) {
	a := citingResults(1, 1)
	a.Results[0].Document.Title, a.CitationGraph.Nodes[0].Label = strings.Repeat("t", 1<<20), strings.Repeat("t", 1<<20)
	var got api.ArchiveAnswer
	fits(t, &archiveAnswer{a}, &got)
	if len(got.Results) != 1 || len(got.Results[0].Citations.Citing) != 1 ||
		!strings.HasPrefix(got.Results[0].Document.Title, "ttt") || got.Metadata.Note == "" {
		t.Errorf("%d results, note %q", len(got.Results), got.Metadata.Note)
	}
}
