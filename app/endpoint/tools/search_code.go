package tools

import (
	"context"

	"searchmcp/engine/api"
)

type codeParams struct {
	Query string `json:"query" arg:"required" doc:"The question or code concept to search for"`
	searchParams
	IncludeTests *bool `json:"include_tests" doc:"false leaves tests out"`
	pageParams
}

func searchCode() tool {
	return define(tool{
		name: "search_code", title: "Search code",
		sentence:         "Search your codebase for relevant code",
		enhancedSentence: "Search your codebase for relevant code using natural language.",
		hint: "**TIP:** Prefer this over reading full files when looking for specific functions, patterns, " +
			"or implementations.",
		more: "Ask in your own words (\"where are expired sessions removed\") or by a symbol's name. " +
			"For file names use search_by_path, for .md and .txt search_docs.",
		output: searchResult{}, readOnly: true, idempotent: true, loaded: true,
	}, func(ctx context.Context, c *call, a codeParams) (any, error) {
		return c.search(ctx, a.Query, a.searchParams, a.pageParams, func(q *api.Query) {
			q.Corpus, q.IncludeTests = api.CorpusCode, a.IncludeTests
		})
	})
}
