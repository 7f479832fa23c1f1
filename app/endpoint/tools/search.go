package tools

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"searchmcp/app/endpoint/target"
	"searchmcp/app/endpoint/words"
	"searchmcp/engine/api"
)

// searchResult is the output of RFC 4.2 and 4.8, and what an assistant must know to trust it.
type searchResult struct {
	Results      []hit `json:"results"`
	TotalResults int   `json:"totalResults"`
	SearchTimeMs int64 `json:"searchTimeMs"`
	beyondRFC
	Limit        int    `json:"limit"`
	Offset       int    `json:"offset"`
	Truncated    bool   `json:"truncated"`
	State        string `json:"state" doc:"Other than ready: incomplete"`
	IndexedAt    string `json:"indexedAt"`
	PendingFiles int    `json:"pendingFiles" doc:"Not yet indexed"`
	Semantic     bool   `json:"semantic" doc:"false: words only"`
	notes
}

type hit struct {
	Path       string  `json:"path"`
	Text       string  `json:"text"`
	Score      float64 `json:"score"`
	StartLine  int     `json:"startLine"`
	EndLine    int     `json:"endLine"`
	Stale      bool    `json:"stale"`
	Project    string  `json:"project,omitempty"`
	Language   string  `json:"language,omitempty"`
	Breadcrumb string  `json:"breadcrumb,omitempty"`
	// Also is path:first-last of each place.
	Also []string `json:"also,omitempty" doc:"Near copies"`
}

// searchParams are the arguments that search_code and search_docs share, but for their first.
type searchParams struct {
	TopK int `json:"top_k" arg:"1..50" default:"10" doc:"Number of results to return (1-50)"`
	projectsParam
	Path     *string `json:"path" doc:"Only files matching this glob (e.g., 'src/**/*.ts')"`
	Language string  `json:"language" doc:"Only this language (e.g., 'go')"`
}

// pageParams are their last arguments.
type pageParams struct {
	MaxTokens int `json:"max_tokens" arg:"100..10000" doc:"Most tokens of the result"`
	Offset    int `json:"offset" arg:"0..10000" doc:"Results to skip"`
}

// Searching answers questions. With several roots results are merged and each hit names its project.
type Searching interface {
	Search(ctx context.Context, roots []string, q api.Query) (api.Results, error)
	Files(ctx context.Context, roots []string, q api.FileQuery) (api.FileResults, error)
}

const (
	charsPerToken = 4   // of English and of code, near enough for a bound
	minText       = 200 // characters that a hit keeps at least: enough to see what it is
)

// search is what both searches do; narrow sets what one of them has of its own.
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
	roots, skipped, err := c.searchable(ctx, roots)
	if err != nil {
		return nil, err
	}
	found, err := c.engine.Search(ctx, roots, q)
	if err != nil {
		return nil, err
	}
	r := newSearchResult(found, q)
	if cut != "" {
		r.Truncated = true
		r.addNote(cut)
	}
	if skipped != "" {
		r.addNote(skipped)
	}
	if len(r.Results) == 0 && found.Total == 0 {
		r.addNote("Nothing was found. Try other words, or search_by_path for a file name.")
	}
	if q.MaxTokens > 0 {
		words.VisibleAll(r)
		if _, err := fit(r, q.MaxTokens*charsPerToken); err != nil {
			return nil, fmt.Errorf("bound the result: %w", err)
		}
	}
	c.activity.Results = len(r.Results)
	return r, nil
}

// query makes a query of checked arguments. cut is a sentence for the reader if the text was too long.
func (c *call) query(text string, a searchParams, page pageParams) (q api.Query, cut string, err error) {
	if strings.TrimSpace(text) == "" {
		return q, "", api.ErrArgument("query", "a question or some words to search for, not empty")
	}
	if len(text) > api.MaxQuery {
		cut = fmt.Sprintf("The query was %d bytes long; only its first %d were used.", len(text), api.MaxQuery)
		text = words.CutBytes(text, api.MaxQuery)
	}
	c.activity.Query = text
	q = api.Query{
		Text: text, TopK: a.TopK, Offset: page.Offset, MaxTokens: page.MaxTokens,
		Language: strings.ToLower(strings.TrimSpace(a.Language)),
	}
	if a.Path != nil {
		q.PathGlob, err = *a.Path, target.CheckGlob(*a.Path)
	}
	return q, cut, err
}

// searchable leaves out projects without an index, and says so, as long as one is left; without any, the engine's
// INDEX_NOT_FOUND is the answer.
func (c *call) searchable(ctx context.Context, roots []string) (indexed []string, skipped string, err error) {
	if len(roots) == 1 {
		return roots, "", nil
	}
	var without []string
	for _, root := range roots {
		p, err := c.engine.Status(ctx, root)
		if err != nil {
			return nil, "", err
		}
		if p.State == api.StateNotIndexed {
			without = append(without, root)
		} else {
			indexed = append(indexed, root)
		}
	}
	if len(indexed) == 0 {
		return roots[:1], "", nil
	}
	if len(without) > 0 {
		skipped = "Not indexed and so not searched: " + strings.Join(without, ", ") + "."
	}
	return indexed, skipped, nil
}

func newSearchResult(found api.Results, q api.Query) *searchResult {
	r := &searchResult{
		Results: make([]hit, 0, len(found.Hits)), TotalResults: found.Total,
		SearchTimeMs: found.Took.Round(time.Millisecond).Milliseconds(),
		Limit:        q.TopK, Offset: q.Offset, Truncated: found.Truncated, State: string(found.State),
		IndexedAt: words.Time(found.IndexedAt), PendingFiles: found.PendingFiles, Semantic: found.Semantic,
		notes: notes{Notes: slices.Clone(found.Notes)},
	}
	for _, h := range found.Hits {
		var also []string
		for _, l := range h.Also {
			also = append(also, l.String())
		}
		r.Results = append(r.Results, hit{
			Path: h.Path, Text: h.Text, Score: math.Round(h.Score*1e4) / 1e4, StartLine: h.StartLine, EndLine: h.EndLine,
			Stale: h.Stale, Project: h.Project, Language: h.Language, Breadcrumb: h.Breadcrumb, Also: also,
		})
	}
	return r
}

// shrink cuts the longest texts first, and leaves hits out from the end when texts are short already.
func (r *searchResult) shrink(share float64) bool {
	const note = "The result was cut to its size limit: texts that end with «…» are longer in the file."
	if !slices.Contains(r.Notes, note) {
		r.addNote(note)
		r.Truncated = true
	}
	longest := 0
	for _, h := range r.Results {
		longest = max(longest, utf8.RuneCountInString(h.Text))
	}
	if longest > minText {
		limit := max(int(float64(longest)*min(share, 0.95)), minText)
		for i := range r.Results {
			r.Results[i].Text = words.Shorten(r.Results[i].Text, limit)
		}
		return true
	}
	if len(r.Results) <= 1 {
		return false
	}
	r.Results = r.Results[:len(r.Results)-1]
	return true
}
