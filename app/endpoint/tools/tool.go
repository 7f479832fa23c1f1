package tools

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/mark3labs/mcp-go/mcp"
)

type tool struct {
	name  string
	title string
	// sentence is the RFC's description, verbatim. more is added to it.
	sentence, more string
	// If the project has enhancedToolDescriptions, enhancedSentence replaces sentence, and hint is added.
	enhancedSentence, hint string
	output                 any // the zero value of the result's type; nil for plain text

	readOnly, destructive, idempotent bool

	asks bool

	// loaded asks clients that defer tool descriptions to load this one at once. Otherwise models prefer grep to a tool
	// that they must look up. Loading costs context in every session.
	loaded bool

	// failure formats errors as the tool's own specification requires. RFC 6.1 applies if failure or its result is nil.
	failure func(error) *mcp.CallToolResult

	params []param // set by define
	run    func(ctx context.Context, c *call) (any, error)
}

// define returns t with the parameters P and the function run, which returns t.output's type.
func define[P any](t tool, run func(ctx context.Context, c *call, p P) (any, error)) tool {
	t.params = paramsOf(reflect.TypeFor[P]())
	t.run = func(ctx context.Context, c *call) (any, error) {
		var p P
		unknown, err := decode(t.params, c.request.Params.Arguments, reflect.ValueOf(&p).Elem())
		if err != nil {
			return nil, err
		}
		c.unknown = unknown
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

func (t *tool) errorFields() []string {
	if t.failure == nil {
		return []string{"code", "userMessage", "developerMessage"}
	}
	return []string{"error"}
}

func (t *tool) mcp() mcp.Tool {
	closed := false // tools access no other computers
	var output json.RawMessage
	if t.output != nil {
		output = outputSchema(t.output, t.errorFields()...)
	}
	var meta *mcp.Meta
	if t.loaded {
		meta = mcp.NewMetaFromMap(map[string]any{"anthropic/alwaysLoad": true}) // Claude Code's key
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
