package endpoint

import "searchmcp/engine/api"

func searchCode() tool {
	return tool{
		name: "search_code", title: "Search code",
		sentence:         "Search your codebase for relevant code",
		enhancedSentence: "Search your codebase for relevant code using natural language.",
		hint:             "**TIP:** Prefer this over reading full files when looking for specific functions, patterns, or implementations.",
		more: "Ask in your own words (\"where are expired sessions removed\") or give a symbol name; the words need not occur in the code. " +
			"For file names use search_by_path, for .md and .txt search_docs.",
		params: []param{
			{name: "query", kind: kindString, required: true, description: "The question or code concept to search for"},
			topK, projectsParam, pathParam, languageParam,
			{name: "include_tests", kind: kindBoolean, description: "true ranks tests like other code, false leaves them out"},
			maxTokensParam, offsetParam,
		},
		output: searchResult{}, readOnly: true, idempotent: true, loaded: true,
		run: searchTool(api.CorpusCode),
	}
}
