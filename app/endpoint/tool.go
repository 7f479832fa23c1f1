package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/engine/api"
)

// tool is one tool: what a client reads of it and what it does.
type tool struct {
	name  string
	title string
	// sentence is the RFC's own, word for word; more goes on from there.
	sentence, more string
	// enhancedSentence replaces sentence and hint follows at the end when the project sets enhancedToolDescriptions.
	enhancedSentence, hint string
	params                 []param
	schema                 string // the input schema where another specification words it; params check all the same
	output                 any    // the zero value of what run returns; nil declares none

	readOnly, destructive, idempotent bool

	// loaded asks clients that show their model only the tools' names to show it this one whole: a tool whose use the
	// model must first look up loses to grep. It costs every session its length, so few tools have it.
	loaded bool

	// failure gives errors the form of the tool's own specification; nil, or a nil result, means RFC 6.1's.
	failure func(error) *mcp.CallToolResult

	// run returns a value of output's type. Errors that are no *api.Error become INTERNAL_ERROR.
	run func(ctx context.Context, c *call) (any, error)
}

func (t tool) describe(enhanced bool) string {
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

func (t tool) mcp() mcp.Tool {
	closed := false // no tool reaches beyond this machine
	input := json.RawMessage(t.schema)
	if t.schema == "" {
		input = inputSchema(t.params)
	}
	var output json.RawMessage
	if t.output != nil {
		output = outputSchema(t.output)
	}
	var meta *mcp.Meta
	if t.loaded {
		meta = mcp.NewMetaFromMap(map[string]any{"anthropic/alwaysLoad": true}) // Claude Code's key
	}
	return mcp.Tool{
		Meta: meta,
		Name: t.name, Title: t.title, Description: t.describe(false),
		RawInputSchema: input, RawOutputSchema: output,
		Annotations: mcp.ToolAnnotation{
			Title: t.title, ReadOnlyHint: &t.readOnly, DestructiveHint: &t.destructive,
			IdempotentHint: &t.idempotent, OpenWorldHint: &closed,
		},
	}
}

// call is one call of a tool.
type call struct {
	srv      *Server
	session  *session
	backend  Backend
	tool     tool
	request  mcp.CallToolRequest
	args     arguments
	round    round // the question that this call brings the answer to
	progress *progress
	started  time.Time
	activity api.Activity
}

// about notes the project of the call for the activity and the sessions list.
func (c *call) about(root string) {
	c.activity.Project = root
	c.session.remember(root)
}

// handler wraps a tool for mcp-go: arguments checked, panics caught, activity noted, errors in the RFC's form. It never
// returns an error itself, because a model does not get to see those.
func (s *Server) handler(t tool) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ses := sessionOf(ctx)
		if ses == nil {
			return nil, errors.New("a tool was called without a session")
		}
		ses.calls.Add(1)
		c := &call{srv: s, session: ses, tool: t, request: r, started: time.Now(), progress: newProgress(ctx, ses)}
		c.activity = api.Activity{Time: c.started, Client: ses.client(), Tool: t.name}
		output, err := c.serve(ctx)
		var need inputNeeded
		if errors.As(err, &need) {
			return need.result, nil // the call comes again; it is noted then
		}
		c.note(err)
		if err != nil {
			if t.failure != nil {
				if r := t.failure(err); r != nil {
					return r, nil
				}
			}
			return errorResult(s.explain(t.name, err)), nil
		}
		return c.result(output)
	}
}

// serve prepares the call and runs the tool.
func (c *call) serve(ctx context.Context) (output any, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.srv.log.Error("panic in a tool", "tool", c.tool.name, "panic", p, "stack", string(debug.Stack()))
			output, err = nil, errInternal(nil)
		}
	}()
	if c.args, err = parseArguments(c.tool.params, c.request.Params.Arguments); err != nil {
		return nil, err
	}
	if c.backend, err = c.srv.engine(ctx, startWait); err != nil {
		return nil, err
	}
	if id := c.request.Params.RequestState; id != "" {
		c.round, _ = c.srv.rounds.take(id, c.session.id, c.tool.name) // none: the question is asked again
	}
	return c.tool.run(ctx, c)
}

// explain turns any error into one for the client; what is not meant for it goes to the log.
func (s *Server) explain(tool string, err error) *api.Error {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return api.New(api.Busy, "The call was given up before it was done. Try again.", "cancelled", err)
	default:
		s.log.Error("tool failed", "tool", tool, "err", err)
		return errInternal(err)
	}
}

// note puts the finished call into the activity, unless a person has switched that off.
func (c *call) note(err error) {
	if c.backend != nil && !recording(c.backend) {
		return
	}
	c.activity.Took = time.Since(c.started)
	if err != nil {
		if c.activity.Error = string(api.CodeOf(err)); c.activity.Error == "" {
			c.activity.Error = string(api.Internal)
		}
	}
	c.srv.activity.add(c.activity)
	c.srv.publish(api.Event{Kind: api.EventActivity, Activity: &c.activity})
}

// result says the same twice, as text and as structure: some clients read one, some the other.
func (c *call) result(output any) (*mcp.CallToolResult, error) {
	if p, plain := output.(*plainText); plain {
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(p.text)}}, nil
	}
	if n, noting := output.(noting); noting && len(c.args.unknown) > 0 {
		n.addNote(c.args.ignored())
	}
	makeVisible(output)
	text, err := encode(output)
	if err == nil && len(text) > api.MaxResult {
		if b, bounded := output.(bounded); bounded {
			text, err = fit(b, api.MaxResult)
		}
	}
	if err != nil {
		return errorResult(c.srv.explain(c.tool.name, fmt.Errorf("encode result of %s: %w", c.tool.name, err))), nil
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(string(text))},
		StructuredContent: json.RawMessage(text),
	}, nil
}

// errorResult is RFC 6.1's error as a result, so that the model sees it.
func errorResult(e *api.Error) *mcp.CallToolResult {
	shown := api.Error{Code: e.Code, UserMessage: visible(e.UserMessage), DeveloperMessage: visible(e.DeveloperMessage)}
	text, err := encode(shown)
	if err != nil { // three strings always encode
		text = []byte(`{}`)
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(string(text))},
		StructuredContent: json.RawMessage(text),
		IsError:           true,
	}
}
