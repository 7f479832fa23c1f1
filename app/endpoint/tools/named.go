package tools

import (
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/engine/api"
)

const shared = "In memory, shared by all assistants, deleted when Search MCP stops."

// namedFailure formats an error as the specification of named indexes requires.
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
	}{errorText(text)})
	if err != nil {
		return nil
	}
	return both(b, true)
}
