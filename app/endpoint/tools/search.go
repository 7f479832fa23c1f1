package tools

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

// searchResult omits fields without a value, to save tokens.
type searchResult struct {
	Results      []hit `json:"results"`
	TotalResults int   `json:"totalResults"`
	SearchTimeMs int64 `json:"searchTimeMs"`
	_            beyondRFC
	// More lists further candidates, such as "main.go:10-20 func Run()".
	More         []string `json:"moreDeclarations,omitempty"`
	Truncated    bool     `json:"truncated,omitempty"`
	State        string   `json:"state,omitempty"`
	IndexedAt    string   `json:"indexedAt,omitempty"`
	PendingFiles int      `json:"pendingFiles,omitempty"`
	Semantic     *bool    `json:"semantic,omitempty" doc:"false if the query was matched by words only, without vectors"`
	notes
	size
}

type hit struct {
	Path       string  `json:"path"`
	Text       string  `json:"text"`
	Score      float64 `json:"score"`
	StartLine  int     `json:"startLine"`
	EndLine    int     `json:"endLine"`
	Stale      bool    `json:"stale,omitempty"`
	Project    string  `json:"project,omitempty"`
	Breadcrumb string  `json:"breadcrumb,omitempty"`
	// Also lists near duplicates, such as "main.go:10-20".
	Also []string `json:"also,omitempty"`
}

type searchParams struct {
	TopK int `json:"top_k" arg:"1..50" default:"10" doc:"Number of results to return (1-50)"`
	projectsParam
	Path     string `json:"path" doc:"Only files matching this glob"`
	Language string `json:"language" doc:"e.g., 'go'"`
}

type pageParams struct {
	MaxTokens int    `json:"max_tokens" arg:"100..10000" doc:"Size limit"`
	Offset    int    `json:"offset" arg:"0..10000" doc:"Results to skip"`
	Detail    string `json:"detail" enum:"excerpt,full" doc:"excerpt: relevant lines; full: declarations"`
}

const minText = 80

// search implements search_code and search_docs. narrow sets the fields of the query that differ.
func (c *call) search(
	ctx context.Context, text string, a searchParams, page pageParams, narrow func(*api.Query),
) (any, error) {
	q, cut, err := c.query(text, a, page)
	if err != nil {
		return nil, err
	}
	narrow(&q)
	roots, err := c.projects(ctx, a.Project)
	if err != nil {
		return nil, err
	}
	found, err := c.engine.Search(ctx, roots, q)
	if err != nil {
		return nil, err
	}
	found.Truncated = found.Truncated || cut != ""
	c.activity.Results = len(found.Hits)
	for _, h := range found.Hits[:min(len(found.Hits), api.MostPlaces)] {
		c.place(h.Project, api.Lines{Path: h.Path, StartLine: max(h.Best, h.StartLine), EndLine: h.EndLine})
	}
	return newSearchResult(found, q, append(c.elsewhere(ctx, roots, q, found), cut)...), nil
}

// SearchAnswer returns the answer of search_code, for measurements.
func SearchAnswer(found api.Results, q api.Query) ([]byte, error) {
	return fit(newSearchResult(found, q))
}

func (c *call) query(text string, a searchParams, page pageParams) (q api.Query, cut string, err error) {
	if strings.TrimSpace(text) == "" {
		return q, "", api.ErrArgument("query", "a question or some words to search for, not empty")
	}
	if n := len(text); n > api.MaxQuery { // keep both ends, because logs often end with the error
		const half = api.MaxQuery / 2
		cut = fmt.Sprintf("The query was %d bytes long. Only the first and the last %d were used.", n, half)
		text = display.CutBytes(text, half) + "\n" + strings.ToValidUTF8(text[n-half+1:], "")
	}
	c.activity.Query = text
	q = api.Query{
		Text: text, TopK: a.TopK, Offset: page.Offset, MaxTokens: page.MaxTokens,
		Detail:   cmp.Or(api.Detail(page.Detail), api.DetailExcerpt),
		Language: strings.ToLower(strings.TrimSpace(a.Language)), PathGlob: a.Path,
	}
	return q, cut, nil
}

func newSearchResult(found api.Results, q api.Query, notes ...string) *searchResult {
	r := &searchResult{
		Results: make([]hit, 0, len(found.Hits)), TotalResults: found.Total,
		SearchTimeMs: found.Took.Round(time.Millisecond).Milliseconds(),
		Truncated:    found.Truncated, PendingFiles: found.PendingFiles,
	}
	r.addNotes(found.Notes...)
	r.addNotes(notes...)
	r.size = size{cmp.Or(q.MaxTokens*charsPerToken, api.MaxResult), func() { r.explain(found, q) }}
	if found.State != api.StateReady {
		r.State = string(found.State)
	}
	if found.PendingFiles > 0 || r.State != "" {
		r.IndexedAt = display.Time(found.IndexedAt)
	}
	if !found.Semantic {
		r.Semantic = new(bool)
	}
	for _, h := range found.Hits {
		var also []string // several chunks of a long line have the same line number
		for _, l := range h.Also {
			if at := l.String(); !slices.Contains(also, at) {
				also = append(also, at)
			}
		}
		if n := len(also) - maxAlso; n > 0 {
			also = append(also[:maxAlso], fmt.Sprintf("and %d more", n))
		}
		r.Results = append(r.Results, hit{
			Path: h.Path, Text: h.Text, Score: math.Round(h.Score*100) / 100, StartLine: h.StartLine, EndLine: h.EndLine,
			Stale: h.Stale, Project: h.Project, Breadcrumb: h.Context(), Also: also,
		})
	}
	for _, t := range found.More {
		at := t.Lines.String()
		if t.Project != "" {
			at = t.Project + ": " + at
		}
		r.More = append(r.More, at+" "+t.Signature)
	}
	return r
}

const maxAlso = 3

func (r *searchResult) explain(found api.Results, q api.Query) {
	next := q.Offset + len(r.Results)
	if q.Offset == 0 && len(found.Hits) > 0 && found.Hits[0].Weak {
		r.Notes = append([]string{"No confident match. These are the closest places:"}, r.Notes...)
	}
	switch {
	case len(r.Results) == 0 && len(found.Nearest) > 0:
		r.addNote("Nothing found that answers this. Closest: " + strings.Join(found.Nearest, ", ") +
			". Try other words, or search_by_path for a file name.")
	case len(r.Results) == 0 && found.InTests:
	case len(r.Results) == 0 && !strings.ContainsFunc(q.Text, isWordRune):
		r.addNote("The query has no words to search for. grep_code finds lines with symbols.")
	case len(r.Results) == 0 && found.Total == 0:
		r.addNote("Nothing found. Try other words, or search_by_path for a file name.")
	case len(r.Results) == 0:
		r.addNote(fmt.Sprintf("There are only %d results, and offset is after the last.", found.Total))
	case found.Total > next && len(r.Results) < q.TopK:
		r.addNote(fmt.Sprintf("Cut to the size limit. Use offset %d for more.", next))
	case found.Total > next:
		r.addNote(fmt.Sprintf("Use offset %d for more.", next))
	}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (r *searchResult) shrink(share float64) bool {
	r.Truncated, r.More = true, nil
	if drop(share, to(1, &r.Results)) {
		return true
	}
	if len(r.Results) == 0 || utf8.RuneCountInString(r.Results[0].Text) <= minText {
		return false
	}
	n := utf8.RuneCountInString(r.Results[0].Text)
	r.Results[0].Text = display.Shorten(r.Results[0].Text, max(minText, int(float64(n)*min(share, 0.95))))
	return true
}
