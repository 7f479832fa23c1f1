package tools

import (
	"context"
	"fmt"
	"slices"

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

// inDocuments returns a note about matching documents, or "" if code matches.
func (c *call) inDocuments(ctx context.Context, roots []string, q api.Query, found api.Results) string {
	if q.Corpus != api.CorpusCode || q.Offset > 0 || len(found.Hits) > 0 && !found.Hits[0].Weak {
		return ""
	}
	q.Corpus = api.CorpusDocs
	docs, err := c.engine.Search(ctx, roots, q) // without documents an error is expected
	n := slices.IndexFunc(docs.Hits, func(h api.Hit) bool { return h.Weak })
	if n < 0 {
		n = len(docs.Hits)
	}
	if err != nil || n == 0 {
		return ""
	}
	return fmt.Sprintf("search_docs finds %d passages about this, the best in %s.", n, docs.Hits[0].Path)
}
