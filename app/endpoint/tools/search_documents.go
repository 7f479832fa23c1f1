package tools

import (
	"context"

	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

type documentsParams struct {
	Query     string   `json:"query" arg:"required" doc:"Search query"`
	SearchIn  string   `json:"searchIn" enum:"title,content,both" default:"\"both\"" doc:"Search target: title, content, or both"`
	Limit     int      `json:"limit" arg:"1.." default:"10" doc:"Maximum number of results"`
	FileTypes []string `json:"fileTypes" doc:"File extensions to search"`
}

// searchDocuments is visible to sessions with documents or --docs.
func searchDocuments() tool {
	return define(tool{
		name: "search_documents", title: "Search documents",
		sentence: "Search documents by title or content",
		more: "For the user's documents outside the code (docs:// resources); use search_docs for this " +
			"project's .md and .txt files.",
		readOnly: true, idempotent: true,
		visible: func(e Engine, s *session.Session) bool {
			ctx := context.Background() // needs no deadline, because HasDocuments only reads names
			return s.Hello().Docs != "" || e.HasDocuments(ctx, scope.Folders(ctx, s, e))
		},
	}, func(ctx context.Context, c *call, a documentsParams) (any, error) {
		folders, problem := scope.Served(ctx, c.session, c.engine)
		switch {
		case len(folders) == 0 && problem != nil:
			return nil, problem
		case len(folders) == 0:
			return nil, api.New(api.DocsIndexNotFound,
				"There are no documents here. Index the project, or start the server with --docs and a folder.",
				"the session has no document folder", nil)
		}
		c.activity.Query = a.Query
		text, n, err := c.engine.SearchDocuments(ctx, folders,
			api.DocumentQuery{Text: a.Query, In: a.SearchIn, Limit: a.Limit, FileTypes: a.FileTypes})
		if err != nil {
			return nil, err
		}
		c.activity.Results = n
		if problem != nil {
			text += "\n\n" + problem.UserMessage
		}
		return &plainText{text}, nil
	})
}
