package tools

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/mark3labs/mcp-go/mcp"
)

// tool is one tool: what a client reads of it and what it does.
type tool struct {
	name  string
	title string
	// sentence is the RFC's own, word for word; more goes on from there.
	sentence, more string
	// enhancedSentence replaces sentence and hint follows at the end when the project sets enhancedToolDescriptions.
	enhancedSentence, hint string
	output                 any // the zero value of what it returns; nil for plain text

	readOnly, destructive, idempotent bool

	// asks says that a person is asked before it does anything.
	asks bool

	// loaded asks clients that show their model only the tools' names to show it this one whole: a tool whose use the
	// model must first look up loses to grep. It costs every session its length, so few tools have it.
	loaded bool

	// failure gives errors the form of the tool's own specification; nil, or a nil result, means RFC 6.1's.
	failure func(error) *mcp.CallToolResult

	params []param // set by define
	run    func(ctx context.Context, c *call) (any, error)
}

// define joins a tool's description with its parameters' type and what it does. run returns a value of output's type;
// errors that are no *api.Error become INTERNAL_ERROR.
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

// errorFields are those of an error as the tool gives it: RFC 6.1's, or those of the form of its own.
func (t *tool) errorFields() []string {
	if t.failure == nil {
		return []string{"code", "userMessage", "developerMessage"}
	}
	return []string{"error"}
}

func (t *tool) mcp() mcp.Tool {
	closed := false // no tool reaches beyond this machine
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
