package tools

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type call struct {
	r        *Registry
	session  *session.Session
	engine   Engine
	tool     *tool
	request  mcp.CallToolRequest
	more     notes // for any result
	round    session.Round
	found    *scope.Finder
	fallback string
	progress *session.Progress
	started  time.Time
	activity api.Activity
}

func (r *Registry) handler(t *tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s := session.FromContext(ctx)
		if s == nil {
			return nil, errors.New("a tool was called without a session")
		}
		s.CountCall()
		c := &call{r: r, session: s, tool: t, request: request, started: time.Now(), progress: session.NewProgress(ctx, s)}
		c.activity = api.Activity{Client: s.Name(), Role: s.Role(), Tool: t.name}
		output, err := c.serve(ctx)
		var need session.InputNeeded
		if errors.As(err, &need) {
			return need.Result, nil // the repeated call is recorded instead
		}
		if err == nil {
			c.note(nil)
			return render(r.o.Log, t.name, output, c.more), nil
		}
		c.note(errors.Join(err, ctx.Err()))
		if t.failure != nil {
			if result := t.failure(err); result != nil {
				return result, nil
			}
		}
		return RenderError(session.Explain(r.o.Log, t.name, err)), nil
	}
}

func (c *call) serve(ctx context.Context) (output any, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.r.o.Log.Error("panic in a tool", "tool", c.tool.name, "panic", p, "stack", string(debug.Stack()))
			output, err = nil, session.ErrInternal(nil)
		}
	}()
	return c.tool.run(ctx, c)
}

func (c *call) prepare(ctx context.Context) (err error) {
	if c.engine, err = c.r.o.Wait(ctx); err != nil {
		return err
	}
	if name := c.request.Params.RequestState; name != "" {
		c.round = c.session.CloseRound(name, c.tool.name) // zero if the question has expired: the user is asked again
	}
	return nil
}

func (c *call) confirm(ctx context.Context, action api.Action, root string, p api.Project) (api.Approval, error) {
	var consent api.Answer // checked by Questions.Ask
	if meta := c.request.Params.Meta; meta != nil {
		text, _ := meta.AdditionalFields[wire.MetaConsent].(string)
		consent = api.Answer(text)
	}
	answer, err := c.r.o.Questions.Ask(ctx, confirm.Request{
		Session: c.session, Engine: c.engine, Tool: c.tool.name, Action: action, Root: root, Project: p,
		Consent: consent, Round: &c.round, Responses: c.request.Params.InputResponses, Announce: c.progress.Announce,
	})
	switch {
	case err != nil:
	case answer.Yes():
		c.activity.Allowed = true
	case answer.Answer == api.Decline:
		c.activity.Error = wire.ActivityDeclined
	default:
		c.activity.Error = wire.ActivityUnanswered
	}
	return answer, err
}

func (c *call) find() *scope.Finder { return &scope.Finder{Session: c.session, Projects: c.engine} }

func (c *call) about(roots ...string) {
	c.activity.Searched = roots
	if len(roots) == 1 {
		c.activity.Project = roots[0]
	}
	c.session.SetLastRoot(roots[0])
}

// place records the place of a result in a project. project is "" if only one project was searched.
func (c *call) place(project string, at api.Lines) {
	if project != "" {
		at.Path = project + ":" + at.Path
	}
	c.activity.Places = append(c.activity.Places, at)
}

// answered limits the searched projects, if there are several, to those with results in Places.
func (c *call) answered() {
	if len(c.activity.Searched) < 2 {
		return
	}
	c.activity.Searched = nil
	for _, p := range c.engine.Projects() {
		if slices.ContainsFunc(c.activity.Places, func(at api.Lines) bool { return strings.HasPrefix(at.Path, p.Name+":") }) {
			c.activity.Searched = append(c.activity.Searched, p.Root())
		}
	}
}

func (c *call) note(err error) {
	if c.engine != nil && !activity.Enabled(c.engine.Settings()) {
		return
	}
	c.activity.Time = time.Now() // the call's duration excludes the wait for the user
	c.activity.Took = c.activity.Time.Sub(c.started)
	c.activity.Query = display.CutBytes(c.activity.Query, api.MaxQuery)
	if err != nil {
		c.activity.Error = cmp.Or(string(api.CodeOf(err)), string(api.Internal))
		if known := new(api.Error); errors.As(err, &known) {
			c.activity.Detail = errorText(known.UserMessage)
		}
		switch {
		case !errors.Is(err, context.Canceled):
		case c.activity.Outcome == api.OutcomeGoesOn: // the call ended, but the job continues
			c.activity.Error, c.activity.Detail = "", ""
		default: // the assistant cancelled the call or disconnected
			c.activity.Error = wire.ActivityCancelled
		}
	}
	c.answered()
	c.r.o.Activity.Add(c.activity)
	if c.engine != nil { // without an engine, no subscribers exist
		c.engine.Publish(api.Event{Kind: api.EventActivity, Activity: &c.activity})
	}
}
