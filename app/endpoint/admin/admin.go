package admin

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/endpoint/target"
	"searchmcp/app/endpoint/words"
	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Engine is what most methods need of the engine; the others need Sources' parts and Sharing too.
type Engine interface {
	target.Projects
	Projects
	Previews
	Configuration
	Settings
	Overview
	Logs
	Searching
	Symbols
	Subscribing
}

// Options are what the methods need of the server. All but QuitRequested are required.
type Options struct {
	Log       *slog.Logger
	Version   string
	Data      string // the data folder served
	Started   time.Time
	Questions *confirm.Questions
	Activity  *activity.Log
	// Sessions lists the connections, oldest first.
	Sessions func() []wire.Session
	// ToolsChanged tells every client to list the tools again.
	ToolsChanged func()
	// Quit tells every program that the app goes, because a person wants it to.
	Quit func()
	// QuitRequested is called after Quit; nil: nobody wants to know.
	QuitRequested func()
	// Wait gives the engine, which may be starting; an error says that it does not come soon.
	Wait func(ctx context.Context) (Engine, error)
}

// Methods serves the private methods.
type Methods struct{ o Options }

// New makes them.
func New(o Options) *Methods { return &Methods{o: o} }

// call is one call of a method.
type call struct {
	*Methods
	session *session.Session
	engine  Engine
	log     *slog.Logger
}

// method is a row of the table.
type method struct {
	name  string
	roles []api.Role
	serve handler
}

type handler func(ctx context.Context, c *call, params json.RawMessage) (any, error)

// with decodes a method's parameters, of which absent ones are the zero value, and finds the part of the engine that it
// needs.
func with[E, P any](serve func(ctx context.Context, c *call, e E, p P) (any, error)) handler {
	return func(ctx context.Context, c *call, params json.RawMessage) (any, error) {
		e, has := c.engine.(E)
		if !has {
			return nil, api.New(api.Internal, "This app cannot do that.", "the engine lacks a part that this method needs", nil)
		}
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, errParams{err}
			}
		}
		return serve(ctx, c, e, p)
	}
}

// about is with for a method about one project: the one that its parameters name, or the session's.
func about[E, P any](serve func(ctx context.Context, c *call, e E, root string, p P) (any, error)) handler {
	return found((*call).root, serve)
}

// aboutAny is about where "" stands for all projects, if the parameters name none.
func aboutAny[E, P any](serve func(ctx context.Context, c *call, e E, root string, p P) (any, error)) handler {
	return found((*call).rootOrAll, serve)
}

func found[E, P any](find func(c *call, ctx context.Context, ref string) (string, error),
	serve func(ctx context.Context, c *call, e E, root string, p P) (any, error)) handler {
	return func(ctx context.Context, c *call, params json.RawMessage) (any, error) {
		return with(func(ctx context.Context, c *call, e E, p P) (any, error) {
			var named wire.ProjectRef
			if len(params) > 0 {
				if err := json.Unmarshal(params, &named); err != nil {
					return nil, errParams{err}
				}
			}
			root, err := find(c, ctx, named.Project)
			if err != nil {
				return nil, err
			}
			return serve(ctx, c, e, root, p)
		})(ctx, c, params)
	}
}

// done turns a method that only may fail into one with an empty result.
func done(err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, nil
}

// errParams is returned for parameters that are no JSON of the method's type.
type errParams struct{ cause error }

func (e errParams) Error() string { return "malformed parameters: " + e.cause.Error() }
func (e errParams) Unwrap() error { return e.cause }

// Serve serves one private method. Who may call it is decided by the role of the connection; an assistant, and a
// connection that does not say what it is, may call none.
func (m *Methods) Serve(ctx context.Context, s *session.Session, r *jsonrpc.Message) (answer jsonrpc.Envelope) {
	name, role := words.Name(r.Method), s.Role()
	log := m.o.Log.With("method", name, "session", s.SessionID(), "role", role)
	if role == api.RoleAssistant {
		log.Warn("private method refused")
		return jsonrpc.Failure(r.ID, jsonrpc.MethodNotFound,
			"this method is for the window and the terminal of Search MCP only")
	}
	at := slices.IndexFunc(table, func(row method) bool { return row.name == r.Method })
	if at < 0 {
		return jsonrpc.Failure(r.ID, jsonrpc.MethodNotFound, "unknown method "+name)
	}
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic in a private method", "panic", p, "stack", string(debug.Stack()))
			answer = session.Failure(r.ID, session.ErrInternal(nil))
		}
	}()
	result, err := m.serve(ctx, &call{Methods: m, session: s, log: log}, &table[at], r.Params)
	var bad errParams
	switch {
	case err == nil:
		return jsonrpc.Result(r.ID, result)
	case errors.As(err, &bad):
		return jsonrpc.Failure(r.ID, jsonrpc.InvalidParams, bad.Error())
	default:
		return session.Failure(r.ID, session.Explain(m.o.Log, name, err))
	}
}

func (m *Methods) serve(ctx context.Context, c *call, row *method, params json.RawMessage) (result any, err error) {
	if !slices.Contains(row.roles, c.session.Role()) {
		return nil, api.New(api.PermissionDenied, "Questions are answered in the Search MCP window.",
			"the session is no window", nil)
	}
	if c.engine, err = m.o.Wait(ctx); err != nil {
		return nil, err
	}
	return row.serve(ctx, c, params)
}

func (c *call) find() *target.Finder { return &target.Finder{Session: c.session, Projects: c.engine} }

// root finds the project that a method means: the given one, or the session's.
func (c *call) root(ctx context.Context, ref string) (string, error) { return c.find().One(ctx, ref) }

// rootOrAll is root, and "" for all projects if none is given.
func (c *call) rootOrAll(ctx context.Context, ref string) (string, error) {
	if ref == "" {
		return "", nil
	}
	find := c.find()
	root, err := find.Named(ref)
	if err != nil {
		return "", err
	}
	return root, find.Whole(root)
}
