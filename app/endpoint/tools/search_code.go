package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
)

type codeParams struct {
	Query string `json:"query" arg:"required" doc:"The question or code concept to search for"`
	searchParams
	IncludeTests *bool `json:"include_tests" doc:"false excludes tests"`
	pageParams
}

func searchCode() tool {
	return define(tool{
		name: "search_code", title: "Search code",
		sentence:         "Search your codebase for relevant code",
		enhancedSentence: "Search your codebase for relevant code using natural language.",
		hint: "**TIP:** Prefer this over reading full files when looking for specific functions, patterns, " +
			"or implementations.",
		more: "query: a question, a symbol's name, or an error, stack trace or bug report as it is. " +
			"For file names use search_by_path, for .md and .txt search_docs.",
		output: searchResult{}, readOnly: true, idempotent: true, loaded: true,
	}, func(ctx context.Context, c *call, a codeParams) (any, error) {
		return c.search(ctx, a.Query, a.searchParams, a.pageParams, func(q *api.Query) {
			q.Corpus, q.IncludeTests = api.CorpusCode, a.IncludeTests
		})
	})
}

// elsewhere returns notes for a search without good results. It tries the other tool, search_docs or search_code, and
// the query without filters.
func (c *call) elsewhere(ctx context.Context, roots []string, q api.Query, found api.Results) (notes []string) {
	if q.Offset > 0 || good(found) > 0 {
		return nil
	}
	try := func(q api.Query, where string) {
		r, err := c.engine.Search(ctx, roots, q) // fails if a project has no documents
		if n := good(r); err == nil && n > 0 {
			passages := "passages"
			if n == 1 {
				passages = "passage"
			}
			notes = append(notes, fmt.Sprintf("%s %d %s about this; the best is in %s.", where, n, passages, r.Hits[0].Path))
		}
	}
	other, this, finds := q, "search_code finds", "search_docs finds"
	if other.Corpus = api.CorpusDocs; q.Corpus == api.CorpusDocs {
		other.Corpus, this, finds = api.CorpusCode, finds, this
	}
	try(other, finds)
	var filters []string
	if q.Language != "" {
		filters = append(filters, "language")
	}
	if q.PathGlob != "" {
		filters = append(filters, "path")
	}
	if len(filters) > 0 {
		q.Language, q.PathGlob = "", ""
		try(q, "Without "+strings.Join(filters, " and ")+" "+this)
	}
	return notes
}

func good(found api.Results) int {
	n := slices.IndexFunc(found.Hits, func(h api.Hit) bool { return h.Weak })
	if n < 0 {
		n = len(found.Hits)
	}
	return n
}
