package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"searchmcp/app/jsonrpc"
	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// private serves one private method. Bridges and connections without a Hello are refused: what an assistant's client
// can send comes through them.
func (s *session) private(ctx context.Context, m *jsonrpc.Message) (answer any) {
	if !s.privileged() {
		s.srv.log.Warn("private method refused", "session", s.id, "method", shorten(visible(m.Method), maxClientName))
		return jsonrpc.Failure(m.ID, jsonrpc.MethodNotFound, "this method is for the window and the terminal of Search MCP only")
	}
	serve, known := privateMethods[m.Method]
	if !known {
		return jsonrpc.Failure(m.ID, jsonrpc.MethodNotFound, "unknown method "+shorten(visible(m.Method), maxClientName))
	}
	defer func() {
		if p := recover(); p != nil {
			s.srv.log.Error("panic in a private method", "method", m.Method, "panic", p, "stack", string(debug.Stack()))
			answer = failWith(m.ID, errInternal(nil))
		}
	}()
	b, err := s.srv.engine(ctx, patientWait)
	if err == nil {
		var result any
		if result, err = serve(&caller{session: s, Backend: b}, ctx, m.Params); err == nil {
			return jsonrpc.Result(m.ID, result)
		}
	}
	return s.srv.failure(m, err)
}

func (s *Server) failure(m *jsonrpc.Message, err error) any {
	var bad errParams
	var e *api.Error
	switch {
	case errors.As(err, &bad):
		return jsonrpc.Failure(m.ID, jsonrpc.InvalidParams, bad.Error())
	case errors.As(err, &e):
		return failWith(m.ID, e)
	case errors.Is(err, context.Canceled):
		return failWith(m.ID, api.New(api.Busy, "The request was given up.", "cancelled", err))
	default:
		s.log.Error("private method failed", "method", m.Method, "err", err)
		return failWith(m.ID, errInternal(err))
	}
}

// errParams is returned for parameters that are no JSON of the method's type.
type errParams struct{ cause error }

func (e errParams) Error() string { return "malformed parameters: " + e.cause.Error() }
func (e errParams) Unwrap() error { return e.cause }

// caller is the session that calls a private method, with the engine at hand.
type caller struct {
	*session
	Backend
}

type privateMethod func(c *caller, ctx context.Context, params json.RawMessage) (any, error)

// with decodes a method's parameters; absent ones are the zero value.
func with[P any](serve func(c *caller, ctx context.Context, p P) (any, error)) privateMethod {
	return func(c *caller, ctx context.Context, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, errParams{err}
			}
		}
		return serve(c, ctx, p)
	}
}

// done turns a method that only may fail into one with an empty result.
func done(err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, nil
}

// privateMethods is the table of app/wire; Hello is served by the reader itself.
var privateMethods = map[string]privateMethod{
	wire.MethodStatus: with(func(c *caller, ctx context.Context, _ wire.Empty) (any, error) {
		return c.srv.status(ctx, c.Backend), nil
	}),
	wire.MethodSubscribe: with(func(c *caller, _ context.Context, _ wire.Empty) (any, error) { return done(c.subscribe(c.Backend)) }),
	wire.MethodPreview: with(func(c *caller, ctx context.Context, p wire.ProjectRef) (any, error) {
		root, err := c.root(p.Project)
		if err != nil {
			return nil, err
		}
		return c.Preview(ctx, root)
	}),
	wire.MethodPause: with(func(c *caller, _ context.Context, p wire.ProjectRef) (any, error) {
		return done(c.each(p.Project, c.Pause))
	}),
	wire.MethodResume: with(func(c *caller, _ context.Context, p wire.ProjectRef) (any, error) {
		return done(c.each(p.Project, c.Resume))
	}),
	wire.MethodCancel: with(func(c *caller, _ context.Context, p wire.CancelJob) (any, error) {
		return done(c.Cancel(p.JobID))
	}),
	wire.MethodQuestions: with(func(c *caller, _ context.Context, _ wire.Empty) (any, error) { return c.srv.gate.list(), nil }),
	wire.MethodAnswer: with(func(c *caller, _ context.Context, p wire.AnswerQuestion) (any, error) {
		return done(c.answerQuestion(p))
	}),
	wire.MethodRevoke: with(func(c *caller, _ context.Context, p wire.ProjectRef) (any, error) {
		root, err := c.root(p.Project)
		if err != nil {
			return nil, err
		}
		return done(c.Revoke(root))
	}),
	wire.MethodRootAdd: with(func(c *caller, ctx context.Context, p wire.RootChange) (any, error) {
		return c.changeRoot(p, func(root string) (api.Project, error) { return c.AddRoot(ctx, root, p.Dir, p.Name) })
	}),
	wire.MethodRootDel: with(func(c *caller, ctx context.Context, p wire.RootChange) (any, error) {
		dir := p.Dir
		if dir == "" {
			dir = p.Name
		}
		return c.changeRoot(p, func(root string) (api.Project, error) { return c.RemoveRoot(ctx, root, dir) })
	}),
	wire.MethodLocate: with(func(c *caller, ctx context.Context, p wire.RootChange) (any, error) {
		return c.changeRoot(p, func(root string) (api.Project, error) { return c.Relocate(ctx, root, p.Dir) })
	}),
	wire.MethodConfigGet: with(func(c *caller, _ context.Context, p wire.ProjectRef) (any, error) {
		root, err := c.root(p.Project)
		if err != nil {
			return nil, err
		}
		text, problems, err := c.ConfigText(root)
		return wire.ConfigText{Project: root, Text: text, Problems: problems}, err
	}),
	wire.MethodConfigSet: with((*caller).setConfig),
	wire.MethodConfigTry: with(func(c *caller, ctx context.Context, p wire.ConfigText) (any, error) {
		root, err := c.root(p.Project)
		if err != nil {
			return nil, err
		}
		preview, problems, err := c.PreviewConfig(ctx, root, p.Text)
		return wire.ConfigTried{Preview: preview, Problems: problems}, err
	}),
	wire.MethodSettingsGet: with(func(c *caller, _ context.Context, _ wire.Empty) (any, error) { return c.Settings(), nil }),
	wire.MethodSettingsSet: with((*caller).setSettings),
	wire.MethodLogs:        with((*caller).logs),
	wire.MethodActivity:    with(func(c *caller, _ context.Context, _ wire.Empty) (any, error) { return c.srv.activity.list(), nil }),
	wire.MethodSessions:    with(func(c *caller, _ context.Context, _ wire.Empty) (any, error) { return c.srv.Sessions(), nil }),
	wire.MethodDoctor: with(func(c *caller, ctx context.Context, p wire.ProjectRef) (any, error) {
		root := ""
		if p.Project != "" {
			var err error
			if root, err = c.root(p.Project); err != nil {
				return nil, err
			}
		}
		return c.Doctor(ctx, root), nil
	}),
	wire.MethodSearch: with((*caller).search),

	wire.MethodSources:       with((*caller).listSources),
	wire.MethodDocsAdd:       with((*caller).addDocuments),
	wire.MethodDocsRemove:    with((*caller).removeDocuments),
	wire.MethodSiteValidate:  with((*caller).checkSite),
	wire.MethodSiteAdd:       with((*caller).addSite),
	wire.MethodSiteRemove:    with((*caller).removeSite),
	wire.MethodSiteRefresh:   with((*caller).refreshSites),
	wire.MethodSiteBuild:     with((*caller).buildSite),
	wire.MethodNamedRemove:   with((*caller).removeNamed),
	wire.MethodArchiveImport: with((*caller).importArchive),
	wire.MethodArchiveRemove: with((*caller).removeFromArchive),

	wire.MethodShareAdd:     with((*caller).addShared),
	wire.MethodShareRemove:  with((*caller).removeShared),
	wire.MethodSharePublish: with((*caller).publishShared),

	wire.MethodQuit: with(func(c *caller, _ context.Context, _ wire.Empty) (any, error) {
		c.srv.quitByPerson(c.session)
		return wire.Empty{}, nil
	}),
	wire.MethodShow: with(func(c *caller, _ context.Context, p wire.Show) (any, error) { return done(c.srv.show(p)) }),
	wire.MethodUpdate: with(func(c *caller, ctx context.Context, p wire.UpdateQuery) (any, error) {
		return c.srv.update(ctx, p.Now), nil
	}),
}

// root finds the project that a private method means: the given one, or the session's.
func (c *caller) root(ref string) (string, error) {
	t := &targets{session: c.session, backend: c.Backend}
	if ref != "" {
		return t.named(ref)
	}
	roots, err := t.implied(context.Background(), nil)
	if err != nil {
		return "", err
	}
	if len(roots) != 1 {
		return "", t.ambiguous(roots)
	}
	return roots[0], nil
}

// each does something to one project, or to all of them for "".
func (c *caller) each(ref string, do func(root string) error) error {
	if ref == "" {
		return do("")
	}
	root, err := c.root(ref)
	if err != nil {
		return err
	}
	return do(root)
}

func (c *caller) changeRoot(p wire.RootChange, change func(root string) (api.Project, error)) (any, error) {
	root, err := c.root(p.Project)
	if err != nil {
		return nil, err
	}
	return change(root)
}

// answerQuestion takes a person's answer. Only a window may give one: a terminal is asked on its own connection.
func (c *caller) answerQuestion(p wire.AnswerQuestion) error {
	if c.facts().Role != wire.RoleWindow {
		return api.New(api.PermissionDenied, "Questions are answered in the Search MCP window.", "the session is no window", nil)
	}
	if !slices.Contains([]api.Answer{api.Accept, api.Always, api.Decline}, p.Answer) {
		return errParams{fmt.Errorf("unknown answer %q", p.Answer)}
	}
	return c.srv.answer(p.ID, p.Answer)
}

func (c *caller) setConfig(ctx context.Context, p wire.ConfigText) (any, error) {
	root, err := c.root(p.Project)
	if err != nil {
		return nil, err
	}
	before := c.Config(root).EnhancedToolDescriptions
	problems, err := c.SetConfigText(ctx, root, p.Text)
	if err != nil {
		return nil, err
	}
	if c.Config(root).EnhancedToolDescriptions != before {
		c.srv.toolsChanged()
	}
	text, _, err := c.ConfigText(root)
	return wire.ConfigText{Project: root, Text: text, Problems: problems}, err
}

// setSettings changes the app's settings. Switching the activity off forgets what was noted.
func (c *caller) setSettings(_ context.Context, changes map[string]any) (any, error) {
	all, err := c.SetSettings(changes)
	if !recording(c.Backend) {
		c.srv.activity.clear()
	}
	return all, err
}

// Lines of a log that are returned without a wish, and at most.
const (
	defaultLogLines = 200
	maxLogLines     = 10000
)

func (c *caller) logs(_ context.Context, p wire.LogQuery) (any, error) {
	root := ""
	if p.Project != "" {
		var err error
		if root, err = c.root(p.Project); err != nil {
			return nil, err
		}
	}
	if p.Lines <= 0 {
		p.Lines = defaultLogLines
	}
	lines, err := c.Logs(root, min(p.Lines, maxLogLines), p.Level)
	if lines == nil {
		lines = []string{}
	}
	return lines, err
}

func (c *caller) search(ctx context.Context, p wire.Search) (any, error) {
	q := p.Query
	if q.TopK == 0 {
		q.TopK = api.DefaultTopK
	}
	if q.Corpus == "" {
		q.Corpus = api.CorpusCode
	}
	if q.TopK < 1 || q.TopK > api.MaxTopK {
		return nil, api.ErrArgument("top_k", fmt.Sprintf("a whole number from 1 to %d", api.MaxTopK))
	}
	if q.PathGlob != "" {
		if err := checkGlob(q.PathGlob); err != nil {
			return nil, err
		}
	}
	t := &targets{session: c.session, backend: c.Backend}
	roots, err := t.all(ctx, p.Projects)
	if err != nil {
		return nil, err
	}
	return c.Search(ctx, roots, q)
}

func (s *Server) status(ctx context.Context, b Backend) wire.Status {
	projects := b.Projects()
	if projects == nil {
		projects = []api.Project{}
	}
	return wire.Status{
		Version: s.opts.Version, Data: s.opts.Data, Started: s.started, Paused: b.Paused(),
		Projects: projects, Model: b.Model(), Problems: b.Problems(), Open: s.gate.list(),
		Update: s.update(ctx, false),
	}
}

func (s *Server) update(ctx context.Context, now bool) wire.Update {
	if s.opts.Update == nil {
		return wire.Update{}
	}
	return s.opts.Update(ctx, now)
}

// quitByPerson answers the one who asked before the app goes, hence the goroutine; it ends with Quit.
func (s *Server) quitByPerson(by *session) {
	s.log.Info("a person chose to quit", "session", by.id, "role", by.facts().Role)
	go func() {
		s.Quit(true)
		if s.opts.QuitRequested != nil {
			s.opts.QuitRequested()
		}
	}()
}
