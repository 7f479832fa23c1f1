package endpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/endpoint/admin"
	"searchmcp/app/endpoint/confirm"
	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/resources"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/endpoint/tools"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Engine is the part of the engine that the endpoint uses. Its methods are safe for concurrent use.
type Engine interface {
	tools.Engine
	admin.Engine
	resources.Engine
}

// Options configures a Server. All functions are required.
type Options struct {
	Version       string
	Data          string
	Log           *slog.Logger
	Desktop       func() bool
	ShowWindow    func(wire.Show) <-chan struct{} // see confirm.Options
	QuitRequested func()
	// Met is called with the version of each client that differs from the app's.
	Met     func(version string)
	PeerPID func(net.Conn) int   // PID of the peer, as the kernel reports it
	Program func(pid int) string // name of the process, as the kernel reports it
}

const (
	startWait   = 3 * time.Second  // some editors abandon a call after 5 s
	listWait    = 2 * time.Second  // long, because many editors list the tools only once
	patientWait = 30 * time.Second // how long windows and terminals wait for the engine
	cacheTTL    = 60 * time.Second // how long clients may cache lists (2026-07-28)
	acceptPause = 50 * time.Millisecond
	maxSessions = 256 // an editor opens one or two sessions
)

type Server struct {
	opts Options
	log  *slog.Logger
	mcp  *server.MCPServer

	session   session.Options
	questions *confirm.Questions
	activity  *activity.Log
	tools     *tools.Registry
	resources *resources.Resources

	ready    chan struct{}
	quitting chan struct{}
	quitOnce sync.Once

	mu       sync.Mutex
	engine   Engine
	sessions map[string]*session.Session
	last     int
}

func New(o Options) *Server {
	s := &Server{
		opts: o, log: o.Log, activity: activity.New(o.Data, o.Log),
		ready: make(chan struct{}), quitting: make(chan struct{}), sessions: map[string]*session.Session{},
	}
	hooks := s.waitingHooks()
	s.mcp = server.NewMCPServer("search-mcp", o.Version,
		server.WithTitle("Search MCP"),
		server.WithInstructions(tools.Instructions),
		server.WithToolCapabilities(true),
		server.WithCacheHints(cacheTTL.Milliseconds(), mcp.CacheScopePrivate),
		server.WithToolFilter(func(ctx context.Context, all []mcp.Tool) []mcp.Tool { return s.tools.List(ctx, all) }),
		server.WithResourceCapabilities(false, true),
		server.WithHooks(hooks),
	)
	s.questions = confirm.New(confirm.Options{
		Log: o.Log, Desktop: o.Desktop, ShowWindow: o.ShowWindow,
		Publish: func(e api.Event) {
			if engine, ok := s.attached(); ok {
				engine.Publish(e)
			}
		},
		Windows: func() []*session.Session {
			return slices.DeleteFunc(s.snapshot(), func(ses *session.Session) bool { return !ses.ShowsQuestions() })
		},
	})
	s.tools = tools.New(tools.Options{
		MCP: s.mcp, Log: o.Log, Questions: s.questions, Activity: s.activity,
		Wait:     func(ctx context.Context) (tools.Engine, error) { return s.wait(ctx, startWait) },
		Attached: func() (tools.Engine, bool) { return s.attached() },
	})
	s.resources = resources.New(resources.Options{
		MCP: s.mcp, Log: o.Log,
		Wait:     func(ctx context.Context) (resources.Engine, error) { return s.wait(ctx, startWait) },
		Attached: func() (resources.Engine, bool) { return s.attached() },
	}, hooks)
	methods := admin.New(admin.Options{
		Log: o.Log, Version: o.Version, Data: o.Data, Started: time.Now(), Questions: s.questions, Activity: s.activity,
		Sessions: s.Sessions, ToolsChanged: s.tools.Changed, Quit: func() { s.Quit(true) }, QuitRequested: o.QuitRequested,
		Wait: func(ctx context.Context) (admin.Engine, error) { return s.wait(ctx, patientWait) },
	})
	s.session = session.Options{
		MCP: s.mcp, Log: o.Log, Welcome: s.welcome, Private: methods.Serve, Quitting: s.isQuitting, PeerPID: o.PeerPID,
		Program: o.Program,
	}
	return s
}

// Attach sets the engine. It must be called exactly once, and may be called while the server already listens.
func (s *Server) Attach(e Engine) {
	s.mu.Lock()
	s.engine = e
	s.mu.Unlock()
	notified := s.tools.Sync(e)
	close(s.ready)
	if !notified && len(enhancedProjects(e)) > 0 {
		s.tools.Changed() // clients may have listed the tools with other descriptions
	}
}

func (s *Server) attached() (Engine, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engine, s.engine != nil
}

func (s *Server) wait(ctx context.Context, atMost time.Duration) (Engine, error) {
	t := time.NewTimer(atMost)
	defer t.Stop()
	select {
	case <-s.ready:
		e, _ := s.attached()
		return e, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.quitting:
		return nil, session.ErrQuitting
	case <-t.C:
		return nil, api.New(api.Busy, "Search MCP is starting. Try again in a few seconds.",
			"the engine is not open yet", nil)
	}
}

// waitingHooks returns hooks for mcp-go that wait for the starting engine. After a timeout, the request is served
// without the engine.
func (s *Server) waitingHooks() *server.Hooks {
	h := &server.Hooks{}
	moment := func(ctx context.Context, atMost time.Duration) {
		if _, err := s.wait(ctx, atMost); err != nil {
			s.log.Debug("answered without the engine", "err", err)
		}
	}
	h.AddBeforeListTools(func(ctx context.Context, _ any, _ *mcp.ListToolsRequest) { moment(ctx, listWait) })
	h.AddBeforeListResources(func(ctx context.Context, _ any, _ *mcp.ListResourcesRequest) { moment(ctx, listWait) })
	h.AddBeforeListResourceTemplates(func(ctx context.Context, _ any, _ *mcp.ListResourceTemplatesRequest) {
		moment(ctx, listWait)
	})
	h.AddBeforeCallTool(func(ctx context.Context, _ any, r *mcp.CallToolRequest) {
		if ses := session.FromContext(ctx); ses != nil && !s.tools.Serves(r.Params.Name, ses) {
			moment(ctx, startWait) // the tool may exist once the engine has started
		}
	})
	return h
}

// Serve accepts connections on l until ctx ends. It then closes l and waits for all sessions.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			s.log.Warn("socket not closed", "err", err)
		}
	})
	defer stop()
	var connections sync.WaitGroup
	defer connections.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	connections.Go(func() { s.follow(ctx) })
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil, errors.Is(err, net.ErrClosed):
			return nil
		case err != nil:
			// Probably no file descriptors are free. Wait for connections to close.
			s.log.Error("connection not accepted", "err", err)
			select {
			case <-time.After(acceptPause):
				continue
			case <-ctx.Done():
				return nil
			}
		}
		connections.Go(func() {
			if err := s.ServeConn(ctx, conn); err != nil {
				s.log.Debug("session ended", "err", err)
			}
		})
	}
}

func (s *Server) ServeConn(ctx context.Context, conn net.Conn) error {
	s.mu.Lock()
	if len(s.sessions) >= maxSessions {
		s.mu.Unlock()
		err := conn.Close()
		return errors.Join(fmt.Errorf("more than %d sessions", maxSessions), err)
	}
	s.last++
	ses := session.New(s.session, fmt.Sprintf("session-%d", s.last), conn)
	s.sessions[ses.SessionID()] = ses
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.sessions, ses.SessionID())
		s.mu.Unlock()
		switch {
		case ses.ShowsQuestions():
			s.questions.Watched(-1)
		case ses.Role() == api.RoleWindow:
			s.questions.Watched(0)
		}
	}()
	return ses.Serve(ctx)
}

// Quit refuses new calls and notifies clients that the app is quitting. If byUser is set, bridges don't restart the
// app.
func (s *Server) Quit(byUser bool) {
	s.quitOnce.Do(func() {
		close(s.quitting)
		var sent sync.WaitGroup
		for _, ses := range s.snapshot() {
			if !ses.Greeted() {
				continue // other MCP clients get no private notifications
			}
			sent.Go(func() {
				ses.TryNotify(wire.NotifyQuit, wire.Quitting{ByUser: byUser})
				ses.Drain(session.CloseGrace)
			})
		}
		sent.Wait()
	})
}

func (s *Server) isQuitting() bool {
	select {
	case <-s.quitting:
		return true
	default:
		return false
	}
}

func (s *Server) Sessions() []wire.Session {
	list := []wire.Session{}
	for _, ses := range s.snapshot() {
		list = append(list, ses.Describe())
	}
	return list
}

func (s *Server) Questions() []api.Question { return s.questions.List() }

func (s *Server) snapshot() []*session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.sessions), func(a, b *session.Session) int {
		return cmp.Or(a.Since().Compare(b.Since()), strings.Compare(a.SessionID(), b.SessionID()))
	})
}

func (s *Server) welcome(ses *session.Session) wire.Welcome {
	if h := ses.Hello(); h.Version != s.opts.Version {
		s.log.Info("another version connects", "session", ses.SessionID(), "role", h.Role, "version", display.Name(h.Version))
		s.opts.Met(h.Version)
	}
	return wire.Welcome{Version: s.opts.Version, PID: os.Getpid(), Desktop: s.opts.Desktop()}
}
