package tools

import (
	"context"

	"searchmcp/engine/api"
)

type createNamedParams struct {
	Index     string    `json:"index_name" arg:"required" doc:"Name for the new index"`
	Backend   string    `json:"backend" default:"\"memory\"" doc:"Index backend type"`
	Tokenizer tokenizer `json:"tokenizer_config" doc:"Tokenizer settings"`
}

type tokenizer struct {
	Lowercase bool `json:"lowercase" default:"true" doc:"Convert tokens to lowercase"`
	// MinLength is at most 64, the length of the longest token.
	MinLength int `json:"min_length" arg:"integer,1..64" default:"2" doc:"Minimum token character length"`
}

type createdIndex struct {
	Status    string `json:"status"`
	IndexName string `json:"index_name"`
	Backend   string `json:"backend"`
	_         beyondRFC
	notes
}

func searchCreateIndex() tool {
	return define(tool{
		name: "search_create_index", title: "Create a named index",
		sentence: "Create a new named search index with optional tokenizer configuration.",
		output:   createdIndex{}, failure: namedFailure,
	}, func(_ context.Context, c *call, a createNamedParams) (any, error) {
		x := api.NamedIndex{
			Name: a.Index, Backend: a.Backend, Lowercase: a.Tokenizer.Lowercase, MinLength: a.Tokenizer.MinLength,
		}
		if err := c.engine.NamedCreate(x); err != nil {
			return nil, err
		}
		return &createdIndex{Status: "created", IndexName: x.Name, Backend: x.Backend}, nil
	})
}
