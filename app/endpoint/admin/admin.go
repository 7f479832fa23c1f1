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
	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type Options struct {
	Log           *slog.Logger
	Version       string
	Data          string
	Started       time.Time
	Questions     *confirm.Questions
	Activity      *activity.Log
	Sessions      func() []wire.Session
	ToolsChanged  func()
	Quit          func()
	QuitRequested func()
	Wait          func(ctx context.Context) (Engine, error)
}

type Methods struct{ o Options }

func New(o Options) *Methods { return &Methods{o: o} }

type call struct {
	*Methods
	session *session.Session
	engine  Engine
	log     *slog.Logger
	params  json.RawMessage
}

type method struct {
	name  string
	serve func(ctx context.Context, c *call) (any, error)
}

func with[P, R any](m wire.Method[P, R], serve func(ctx context.Context, c *call, p P) (R, error)) method {
	return method{string(m), func(ctx context.Context, c *call) (any, error) {
		p, err := params[P](c)
		if err != nil {
			return nil, err
		}
		return serve(ctx, c, p)
	}}
}

func params[P any](c *call) (p P, err error) {
	if len(c.params) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(c.params, &p); err != nil {
		return p, errParams{err}
	}
	return p, nil
}

// about returns a method whose parameters name one project. find determines the project's root. It is one or orAll.
func about[P, R any](m wire.Method[P, R], find func(ctx context.Context, c *call, ref string) (string, error),
	serve func(ctx context.Context, c *call, root string, p P) (R, error)) method {
	return with(m, func(ctx context.Context, c *call, p P) (none R, err error) {
		named, err := params[wire.ProjectRef](c)
		if err != nil {
			return none, err
		}
		root, err := find(ctx, c, named.Project)
		if err != nil {
			return none, err
		}
		return serve(ctx, c, root, p)
	})
}

func in[Q, R any](m wire.Method[wire.In[Q], R],
	serve func(ctx context.Context, c *call, roots []string, q Q) (R, error)) method {
	return with(m, func(ctx context.Context, c *call, p wire.In[Q]) (none R, err error) {
		roots, err := c.find().All(ctx, p.Projects)
		if err != nil {
			return none, err
		}
		return serve(ctx, c, roots, p.Query)
	})
}

func get[R any](result func(c *call) R) func(context.Context, *call, wire.Empty) (R, error) {
	return func(_ context.Context, c *call, _ wire.Empty) (R, error) { return result(c), nil }
}

func act(change func(e Engine, root string) error) func(context.Context, *call, string, wire.ProjectRef) (wire.Empty,
	error) {
	return func(_ context.Context, c *call, root string, _ wire.ProjectRef) (wire.Empty, error) {
		return wire.Empty{}, change(c.engine, root)
	}
}

type errParams struct{ cause error }

func (e errParams) Error() string { return "malformed parameters: " + e.cause.Error() }
func (e errParams) Unwrap() error { return e.cause }

// Serve serves a private method. It refuses assistants, which are all connections except those of windows and
// terminals.
func (m *Methods) Serve(ctx context.Context, s *session.Session, r *jsonrpc.Message) (answer jsonrpc.Envelope) {
	name, role := display.Name(r.Method), s.Role()
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
	engine, err := m.o.Wait(ctx)
	var result any
	if err == nil {
		result, err = table[at].serve(ctx, &call{m, s, engine, log, r.Params})
	}
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

func (c *call) find() *scope.Finder { return &scope.Finder{Session: c.session, Projects: c.engine} }

func one(ctx context.Context, c *call, ref string) (string, error) { return c.find().One(ctx, ref) }

func orAll(_ context.Context, c *call, ref string) (string, error) {
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
