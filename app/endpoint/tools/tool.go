package tools

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/endpoint/session"
)

type tool struct {
	name             string
	title            string
	sentence         string // the RFC's description
	more             string // appended to sentence
	enhancedSentence string // replaces sentence if enhancedToolDescriptions is set
	hint             string // appended if enhancedToolDescriptions is set
	output           any    // zero value of the result's type, or nil for plain text

	readOnly, destructive, idempotent bool

	asks bool

	// loaded asks clients to load this description in advance, because models rarely look up a tool. Every session then
	// contains the description.
	loaded bool

	// failure formats an error as the tool's own specification requires. Without failure, RFC 6.1 applies.
	failure func(error) *mcp.CallToolResult

	// visible reports whether a session sees the tool. If visible is nil, all sessions see it.
	visible func(Engine, *session.Session) bool

	params []param // set by define
	run    func(ctx context.Context, c *call) (any, error)
}

// define completes the tool t. Its calls decode their arguments into a P and call run.
func define[P any](t tool, run func(ctx context.Context, c *call, p P) (any, error)) tool {
	t.params = paramsOf(reflect.TypeFor[P]())
	t.run = func(ctx context.Context, c *call) (any, error) {
		var p P
		unknown, err := decode(t.params, c.request.Params.Arguments, reflect.ValueOf(&p).Elem())
		if err != nil {
			return nil, err
		}
		if len(unknown) > 0 {
			c.more.addNote(ignored(unknown))
		}
		if err := c.prepare(ctx); err != nil {
			return nil, err
		}
		return run(ctx, c, p)
	}
	return t
}

func (t *tool) describe(enhanced bool) string {
	sentence := t.sentence
	if enhanced && t.enhancedSentence != "" {
		sentence = t.enhancedSentence
	}
	text := sentence
	if t.more != "" {
		if text[len(text)-1] != '.' {
			text += "."
		}
		text += " " + t.more
	}
	if enhanced && t.hint != "" {
		text += " " + t.hint
	}
	return text
}

func (t *tool) mcp() mcp.Tool {
	closed := false // the tools access no other computers
	errorFields := []string{"code", "userMessage", "developerMessage"}
	if t.failure != nil {
		errorFields = []string{"error"}
	}
	var output json.RawMessage
	if t.output != nil {
		output = outputSchema(t.output, errorFields...)
	}
	var meta *mcp.Meta
	if t.loaded {
		meta = mcp.NewMetaFromMap(map[string]any{"anthropic/alwaysLoad": true}) // the key is defined by Claude Code
	}
	return mcp.Tool{
		Meta: meta,
		Name: t.name, Title: t.title, Description: t.describe(false),
		RawInputSchema: inputSchema(t.params), RawOutputSchema: output,
		Annotations: mcp.ToolAnnotation{
			Title: t.title, ReadOnlyHint: &t.readOnly, DestructiveHint: &t.destructive,
			IdempotentHint: &t.idempotent, OpenWorldHint: &closed,
		},
	}
}
