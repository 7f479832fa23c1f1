package endpoint

import "searchmcp/engine/api"

func searchDocs() tool {
	return tool{
		name: "search_docs", title: "Search documentation",
		sentence: "Search documentation files (.md, .txt)",
		hint:     "**TIP:** For follow-up questions about a doc already in context, use this tool instead of re-reading the entire file - more precise results, less context usage.",
		more:     "For questions about how the project is meant to be used, set up or designed. For code use search_code.",
		params: []param{
			{name: "query", kind: kindString, required: true, description: "The question or topic to search for in documentation"},
			topK, projectsParam, pathParam, languageParam, maxTokensParam, offsetParam,
		},
		output: searchResult{}, readOnly: true, idempotent: true,
		run: searchTool(api.CorpusDocs),
	}
}
