package tools

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// call is one call of a tool.
type call struct {
	r        *Registry
	session  *session.Session
	engine   Engine // set by prepare
	tool     *tool
	request  mcp.CallToolRequest
	unknown  []string      // arguments that the tool has no use for
	round    session.Round // the question that this call brings the answer to
	found    *scope.Finder // what found the call's project
	fallback string        // says which project a search was answered from although nothing named it
	progress *session.Progress
	started  time.Time
	activity api.Activity
}

// handler wraps a tool for mcp-go: panics caught, activity noted, errors in the RFC's form. It never returns an error
// itself, because a model does not get to see those.
func (r *Registry) handler(t *tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s := session.Of(ctx)
		if s == nil {
			return nil, errors.New("a tool was called without a session")
		}
		s.Called()
		c := &call{r: r, session: s, tool: t, request: request, started: time.Now(), progress: session.NewProgress(ctx, s)}
		c.activity = api.Activity{Client: s.Name(), Role: s.Role(), Tool: t.name}
		output, err := c.serve(ctx)
		var need session.InputNeeded
		if errors.As(err, &need) {
			return need.Result, nil // the call comes again; it is noted then
		}
		if err == nil {
			c.note(nil)
			return render(r.o.Log, t.name, output, c.unknown), nil
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

// serve runs the tool. A panic ends the call, not the session.
func (c *call) serve(ctx context.Context) (output any, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.r.o.Log.Error("panic in a tool", "tool", c.tool.name, "panic", p, "stack", string(debug.Stack()))
			output, err = nil, session.ErrInternal(nil)
		}
	}()
	return c.tool.run(ctx, c)
}

// prepare waits for the engine, once the arguments are known to be good.
func (c *call) prepare(ctx context.Context) (err error) {
	if c.engine, err = c.r.o.Wait(ctx); err != nil {
		return err
	}
	if name := c.request.Params.RequestState; name != "" {
		c.round = c.session.CloseRound(name, c.tool.name) // none: the question is asked again
	}
	return nil
}

// confirm asks a person whether an action may be done to a project.
func (c *call) confirm(ctx context.Context, action api.Action, root string, p api.Project) (api.Answer, error) {
	answer, err := c.r.o.Questions.Ask(ctx, confirm.Request{
		Session: c.session, Engine: c.engine, Tool: c.tool.name, Action: action, Root: root, Project: p,
		Consent: c.consent(), Round: &c.round, Responses: c.request.Params.InputResponses, Say: c.progress.Say,
	})
	switch {
	case err != nil || answer.Yes():
	case answer == api.Decline:
		c.activity.Error = wire.ActivityDeclined
	default:
		c.activity.Error = wire.ActivityUnanswered
	}
	return answer, err
}

// consent is what a program says that its person has answered already; whether that counts is for confirm.
func (c *call) consent() api.Answer {
	if c.request.Params.Meta == nil {
		return ""
	}
	answer, _ := c.request.Params.Meta.AdditionalFields[wire.MetaConsent].(string)
	return api.Answer(answer)
}

func (c *call) find() *scope.Finder { return &scope.Finder{Session: c.session, Projects: c.engine} }

// about notes the project of the call for the activity and the sessions list; a call about several names none.
func (c *call) about(roots ...string) {
	if len(roots) == 1 {
		c.activity.Project = roots[0]
	}
	c.session.Remember(roots[0])
}

// note puts the finished call into the activity, unless a person has switched that off.
func (c *call) note(err error) {
	if c.engine != nil && !activity.On(c.engine.Settings()) {
		return
	}
	c.activity.Time = time.Now() // when it was done: one that waited for a person is no older than what came meanwhile
	c.activity.Took = c.activity.Time.Sub(c.started)
	if err != nil {
		c.activity.Error = cmp.Or(string(api.CodeOf(err)), string(api.Internal))
		if known := new(api.Error); errors.As(err, &known) {
			c.activity.Detail = known.UserMessage
		}
		if errors.Is(err, context.Canceled) { // by the assistant, or it went away: nothing is wrong here
			c.activity.Error = wire.ActivityCancelled
		}
	}
	c.r.o.Activity.Add(c.activity)
	if c.engine != nil { // else nobody listens yet
		c.engine.Publish(api.Event{Kind: api.EventActivity, Activity: &c.activity})
	}
}
