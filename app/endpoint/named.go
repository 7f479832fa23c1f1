package endpoint

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/engine/api"
)

// namedGroup is the tools of the named indexes, with the specification's fields and errors.
func namedGroup() group {
	return group{name: groupNamed, tools: []tool{searchIndex(), searchAddDocument(), searchCreateIndex()}}
}

// namedFailure is {"error": …}, the form of these tools' errors.
func namedFailure(err error) *mcp.CallToolResult {
	var known api.SourceError
	var shown *api.Error
	text := ""
	switch {
	case errors.As(err, &known):
		text = string(known)
	case errors.As(err, &shown):
		text = shown.UserMessage
	default:
		return nil
	}
	b, err := encode(struct {
		Error string `json:"error"`
	}{visible(text)})
	if err != nil {
		return nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(string(b))}, StructuredContent: json.RawMessage(b), IsError: true}
}

// shared is what has to be said of the default index (docs/specification.md#named-indexes).
const shared = "Indexes are kept in memory, shared by all of the user's assistants, and gone when Search MCP stops."

// namedAnswer is search_index's output.
type namedAnswer struct{ api.NamedAnswer }

// shrink leaves results out from the end; total_matches still counts them.
func (a *namedAnswer) shrink(share float64) bool {
	if len(a.Results) == 0 {
		return false
	}
	a.Results = a.Results[:min(int(float64(len(a.Results))*share), len(a.Results)-1)]
	return true
}

func searchIndex() tool {
	return tool{
		name: "search_index", title: "Search a named index",
		sentence: "Search for documents matching a query string, returning ranked results with relevance scores and context highlights.",
		more:     `Query operators: +term (must include), -term (must exclude), "phrase" (exact match). ` + shared,
		schema: `{"type":"object","properties":{` +
			`"query":{"type":"string","description":"Search query (supports +/- and phrase operators)"},` +
			`"k":{"type":"integer","description":"Maximum results to return (default: 10)","default":10},` +
			`"index_name":{"type":"string","description":"Target index instance (default: \"default\")","default":"default"}},"required":["query"]}`,
		params: []param{
			{name: "query", kind: kindString},
			{name: "k", kind: kindNumber, min: 1, def: 10},
			{name: "index_name", kind: kindString, def: "default"},
		},
		readOnly: true, idempotent: true, failure: namedFailure,
		run: func(_ context.Context, c *call) (any, error) {
			src, err := c.sources()
			if err != nil {
				return nil, err
			}
			c.activity.Query = c.args.text("query")
			a, err := src.NamedSearch(c.args.text("index_name"), c.args.text("query"), c.args.number("k"))
			if err != nil {
				return nil, err
			}
			c.activity.Results = len(a.Results)
			return &namedAnswer{a}, nil
		},
	}
}

// addedDocument is search_add_document's output.
type addedDocument struct {
	Status     string `json:"status"`
	DocID      string `json:"doc_id"`
	TokenCount int    `json:"token_count"`
}

func searchAddDocument() tool {
	return tool{
		name: "search_add_document", title: "Add a document to a named index",
		sentence: "Add or update a document in the search index. If a document with the same ID exists, it is re-indexed with the new content.",
		more:     shared,
		schema: `{"type":"object","properties":{` +
			`"doc_id":{"type":"string","description":"Unique document identifier"},` +
			`"content":{"type":"string","description":"Text content to index"},` +
			`"metadata":{"type":"object","description":"Arbitrary key-value metadata"},` +
			`"index_name":{"type":"string","description":"Target index instance (default: \"default\")","default":"default"}},"required":["doc_id","content"]}`,
		params: []param{
			{name: "doc_id", kind: kindString, required: true},
			{name: "content", kind: kindAny}, // blank, missing or no text: one error of the specification for all
			{name: "metadata", kind: kindObject},
			{name: "index_name", kind: kindString, def: "default"},
		},
		idempotent: true, failure: namedFailure,
		run: func(_ context.Context, c *call) (any, error) {
			src, err := c.sources()
			if err != nil {
				return nil, err
			}
			id := c.args.text("doc_id")
			replaced, tokens, err := src.NamedAdd(c.args.text("index_name"), id, c.args.text("content"), c.args.object("metadata"))
			if err != nil {
				return nil, err
			}
			out := &addedDocument{Status: "indexed", DocID: id, TokenCount: tokens}
			if replaced {
				out.Status = "re-indexed"
			}
			return out, nil
		},
	}
}

// createdIndex is search_create_index's output.
type createdIndex struct {
	Status    string `json:"status"`
	IndexName string `json:"index_name"`
	Backend   string `json:"backend"`
}

// Defaults of tokenizer_config.
const (
	defaultLowercase = true
	defaultMinLength = 2
	maxMinLength     = 64 // letters; no word is longer
)

func searchCreateIndex() tool {
	return tool{
		name: "search_create_index", title: "Create a named index",
		sentence: "Create a new named search index with optional tokenizer configuration.",
		more:     shared,
		schema: `{"type":"object","properties":{` +
			`"index_name":{"type":"string","description":"Name for the new index"},` +
			`"backend":{"type":"string","description":"Index backend type (default: \"memory\")","default":"memory"},` +
			`"tokenizer_config":{"type":"object","description":"Tokenizer settings","properties":{` +
			`"lowercase":{"type":"boolean","description":"Convert tokens to lowercase","default":true},` +
			`"min_length":{"type":"integer","description":"Minimum token character length","default":2}}}},"required":["index_name"]}`,
		params: []param{
			{name: "index_name", kind: kindString, required: true},
			{name: "backend", kind: kindString, def: "memory"},
			{name: "tokenizer_config", kind: kindObject},
		},
		failure: namedFailure,
		run: func(_ context.Context, c *call) (any, error) {
			src, err := c.sources()
			if err != nil {
				return nil, err
			}
			x := api.NamedIndex{Name: c.args.text("index_name"), Backend: c.args.text("backend"), Lowercase: defaultLowercase, MinLength: defaultMinLength}
			if err := tokenizerConfig(&x, c.args.object("tokenizer_config")); err != nil {
				return nil, err
			}
			if err := src.NamedCreate(x); err != nil {
				return nil, err
			}
			return &createdIndex{Status: "created", IndexName: x.Name, Backend: x.Backend}, nil
		},
	}
}

func tokenizerConfig(x *api.NamedIndex, config map[string]any) error {
	checks := []param{
		{name: "lowercase", kind: kindBoolean, def: defaultLowercase},
		{name: "min_length", kind: kindNumber, min: 1, max: maxMinLength, def: defaultMinLength},
	}
	a, err := parseArguments(checks, config)
	if err != nil {
		return err
	}
	x.Lowercase, x.MinLength = *a.flag("lowercase"), a.number("min_length")
	return nil
}
