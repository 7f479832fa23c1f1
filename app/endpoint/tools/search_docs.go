package tools

import (
	"context"

	"searchmcp/engine/api"
)

type docsParams struct {
	Query string `json:"query" arg:"required" doc:"The question or topic to search for in documentation"`
	searchParams
	pageParams
}

func searchDocs() tool {
	return define(tool{
		name: "search_docs", title: "Search documentation",
		sentence: "Search documentation files (.md, .txt)",
		hint: "**TIP:** For follow-up questions about a doc already in context, use this tool instead of re-reading " +
			"the entire file - more precise results, less context usage.",
		more:   "For code use search_code.",
		output: searchResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a docsParams) (any, error) {
		return c.search(ctx, a.Query, a.searchParams, a.pageParams, func(q *api.Query) { q.Corpus = api.CorpusDocs })
	})
}
