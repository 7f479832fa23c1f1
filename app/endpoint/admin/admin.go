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
		var p P
		if len(c.params) > 0 {
			if err := json.Unmarshal(c.params, &p); err != nil {
				return nil, errParams{err}
			}
		}
		return serve(ctx, c, p)
	}}
}

type finder func(ctx context.Context, c *call, ref string) (string, error)

// about returns a private method for one project. find determines the project's root.
func about[P interface{ Named() string }, R any](m wire.Method[P, R], find finder,
	serve func(ctx context.Context, c *call, root string, p P) (R, error)) method {
	return with(m, func(ctx context.Context, c *call, p P) (none R, err error) {
		root, err := find(ctx, c, p.Named())
		if err != nil {
			return none, err
		}
		return serve(ctx, c, root, p)
	})
}

func in[Q, R any](m wire.Method[wire.ProjectQuery[Q], R],
	serve func(ctx context.Context, c *call, roots []string, q Q) (R, error)) method {
	return with(m, func(ctx context.Context, c *call, p wire.ProjectQuery[Q]) (none R, err error) {
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

// act returns a private method that calls change with a project's root. find determines the root.
func act[P interface{ Named() string }](m wire.Method[P, wire.Empty], find finder,
	change func(e Engine, ref string) error) method {
	return about(m, find, func(_ context.Context, c *call, ref string, _ P) (wire.Empty, error) {
		return wire.Empty{}, change(c.engine, ref)
	})
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

func given(_ context.Context, _ *call, ref string) (string, error) { return ref, nil }

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
	return root, find.RequireRootOrName(root)
}
