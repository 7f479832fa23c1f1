package tools

import (
	"context"
	"encoding/json"

	"searchmcp/app/endpoint/session"
)

type addDocumentParams struct {
	ID string `json:"doc_id" arg:"required" doc:"Unique document identifier"`
	// Content is any, because the specification requires the same error for every invalid value, even a number.
	Content  any            `json:"content" arg:"listed,string" doc:"Text content to index"`
	Metadata map[string]any `json:"metadata" doc:"Arbitrary key-value metadata"`
	Index    string         `json:"index_name" default:"\"default\"" doc:"Target index instance"`
}

type addedDocument struct {
	Status     string `json:"status"`
	DocID      string `json:"doc_id"`
	TokenCount int    `json:"token_count"`
	_          beyondRFC
	notes
}

func searchAddDocument() tool {
	return define(tool{
		name: "search_add_document", title: "Add a document to a named index",
		sentence:   "Add or update a document in the search index.",
		more:       shared,
		output:     addedDocument{},
		idempotent: true, failure: namedFailure,
	}, func(ctx context.Context, c *call, a addDocumentParams) (any, error) {
		content, _ := a.Content.(string)
		var metadata json.RawMessage
		if a.Metadata != nil { // keep the JSON exactly as sent
			metadata = session.Argument(ctx, "metadata")
		}
		replaced, tokens, err := c.engine.NamedAdd(a.Index, a.ID, content, metadata)
		if err != nil {
			return nil, err
		}
		out := &addedDocument{Status: "indexed", DocID: a.ID, TokenCount: tokens}
		if replaced {
			out.Status = "re-indexed"
		}
		return out, nil
	})
}
