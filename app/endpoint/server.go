package endpoint

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/jsonrpc"
	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// Options configure a Server. Only Version is required.
type Options struct {
	// Backend may be nil; Attach gives it then. Until it is there initialize and tools/list are answered, calls wait.
	Backend Backend
	Version string
	// Data is the data folder that is served, for Welcome and Status.
	Data string
	Log  *slog.Logger
	// Desktop reports whether a dialog can be shown to the person; nil means never.
	Desktop func() bool
	// ShowWindow starts a window. It is called when none is connected.
	ShowWindow func(wire.Show)
	// QuitRequested is called when a person chose Quit in a window or at a terminal; Quit has been called by then.
	QuitRequested func()
	// Update tells what is known of newer versions, with now after asking their feed; nil: nothing ever is.
	Update func(ctx context.Context, now bool) wire.Update
	// Met is called with the version of each bridge, window and terminal that connects and has another one than this app; nil:
	// nobody wants to know.
	Met func(version string)
}

// Times of the server.
const (
	startWait   = 3 * time.Second  // an editor may give up a call after 5 s
	listWait    = 2 * time.Second  // many editors list the tools once: what the engine serves had better be there
	patientWait = 30 * time.Second // a window and a terminal wait for the engine themselves
	cacheTTL    = 60 * time.Second // how long a client may keep a list (2026-07-28)
	acceptPause = 50 * time.Millisecond
	maxSessions = 256 // an editor opens one or two; more than this is a mistake or an attack
)

// Server serves MCP and the private methods to many connections at once.
type Server struct {
	opts    Options
	log     *slog.Logger
	mcp     *server.MCPServer
	started time.Time

	tools    *registry
	gate     *gate
	rounds   *rounds
	activity *activity

	ready    chan struct{} // closed by Attach, when the tools are known
	quitting chan struct{}
	quitOnce sync.Once

	syncing sync.Mutex        // held by syncSources from asking the engine to the last change of the registry, so that two don't mix
	served  map[string]string // the sources' groups that are served, with what they say

	mu       sync.Mutex
	backend  Backend
	sessions map[string]*session
	last     int
	streams  map[*session]int // listen streams by session
	shown    time.Time        // when a window was last started for a question
}

// New makes a server. It serves nothing before Serve or ServeConn.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		opts: o, log: o.Log, started: time.Now(),
		gate: newGate(), rounds: newRounds(), activity: newActivity(),
		ready: make(chan struct{}), quitting: make(chan struct{}),
		sessions: map[string]*session{}, streams: map[*session]int{}, served: map[string]string{},
	}
	s.mcp = server.NewMCPServer("search-mcp", o.Version,
		server.WithTitle("Search MCP"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(true),
		server.WithPromptCapabilities(false), // the list never changes
		server.WithLogging(),
		server.WithCacheHints(cacheTTL.Milliseconds(), mcp.CacheScopePrivate),
		server.WithToolFilter(s.sessionTools),
		server.WithResourceCapabilities(false, true),
		server.WithHooks(s.resourceHooks()),
	)
	s.serveDocuments()
	s.tools = newRegistry(s)
	s.tools.add(projectGroup())
	s.addPrompts()
	if o.Backend != nil {
		s.Attach(o.Backend)
	}
	return s
}

// Attach gives the engine to a server that has been listening without it. Only the first call counts.
func (s *Server) Attach(b Backend) {
	s.mu.Lock()
	first := s.backend == nil
	if first {
		s.backend = b
	}
	s.mu.Unlock()
	if !first {
		return
	}
	s.syncSources()
	close(s.ready) // who waits for the engine finds its tools
	if slices.ContainsFunc(b.Projects(), func(p api.Project) bool { return b.Config(p.Root()).EnhancedToolDescriptions }) {
		s.toolsChanged() // a session may have listed the tools before any configuration was known
	}
}

// attached returns the engine if it is there.
func (s *Server) attached() (Backend, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.backend, s.backend != nil
}

// engine waits for the engine, for at most a time.
func (s *Server) engine(ctx context.Context, atMost time.Duration) (Backend, error) {
	t := time.NewTimer(atMost)
	defer t.Stop()
	select {
	case <-s.ready:
		b, _ := s.attached()
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.quitting:
		return nil, errQuitting
	case <-t.C:
		return nil, api.New(api.Busy, "Search MCP is starting. Try again in a few seconds.", "the engine is not open yet", nil)
	}
}

// Serve accepts connections until ctx ends or the listener fails, closes l, and returns when all sessions have ended.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { closeQuietly(l, s.log) })
	defer stop()
	var connections sync.WaitGroup
	defer connections.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	connections.Go(func() { s.followSources(ctx) })
	connections.Go(func() { s.followLog(ctx) })
	connections.Go(func() { s.followIndexing(ctx) })
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return nil
		case err != nil:
			// Out of file descriptors, most likely; others end by themselves.
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

func closeQuietly(l net.Listener, log *slog.Logger) {
	if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		log.Warn("socket not closed", "err", err)
	}
}

// ServeConn serves one connection until its peer closes it or ctx ends, and closes it.
func (s *Server) ServeConn(ctx context.Context, conn net.Conn) error {
	s.mu.Lock()
	if len(s.sessions) >= maxSessions {
		s.mu.Unlock()
		err := conn.Close()
		return errors.Join(fmt.Errorf("more than %d sessions", maxSessions), err)
	}
	s.last++
	ses := newSession(s, fmt.Sprintf("session-%d", s.last), conn)
	s.sessions[ses.id] = ses
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.sessions, ses.id)
		delete(s.streams, ses)
		s.mu.Unlock()
		s.rounds.forget(ses.id)
		if ses.window() {
			s.gate.watched(-1)
		}
	}()
	return ses.serve(ctx)
}

// Quit tells every bridge, window and terminal that the app goes, and waits a moment until they have heard. byPerson
// means that bridges start nothing until a person or a newly started editor does. New calls are refused from here on.
// The caller ends Serve's context afterwards.
func (s *Server) Quit(byPerson bool) {
	s.quitOnce.Do(func() {
		close(s.quitting)
		var told sync.WaitGroup
		for _, ses := range s.snapshot() {
			ses.mu.Lock()
			greeted := ses.greeted
			ses.mu.Unlock()
			if !greeted {
				continue // an MCP client that knows nothing of private notifications
			}
			told.Go(func() {
				ses.trySend(jsonrpc.Notification(wire.NotifyQuit, wire.Quitting{ByPerson: byPerson}))
				ses.drain(closeGrace)
			})
		}
		told.Wait()
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

// Sessions lists the connections, oldest first.
func (s *Server) Sessions() []wire.Session {
	list := []wire.Session{}
	for _, ses := range s.snapshot() {
		list = append(list, ses.describe())
	}
	return list
}

// Questions lists the questions that wait for a person, oldest first.
func (s *Server) Questions() []api.Question { return s.gate.list() }

// Answer answers a question for a person at the app itself. It is an *api.Error if the question is not open any more.
func (s *Server) Answer(id string, a api.Answer) error { return s.answer(id, a) }

func (s *Server) snapshot() []*session {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*session, 0, len(s.sessions))
	for _, ses := range s.sessions {
		list = append(list, ses)
	}
	slices.SortFunc(list, func(a, b *session) int {
		if c := a.since.Compare(b.since); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	})
	return list
}

// listening counts the listen streams of a session; it refuses one too many.
func (s *Server) listening(ses *session, by int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if by > 0 && s.streams[ses] >= maxListen {
		return false
	}
	s.streams[ses] += by
	return true
}

func (s *Server) welcome() wire.Welcome {
	return wire.Welcome{Version: s.opts.Version, PID: os.Getpid(), Data: s.opts.Data, Desktop: s.desktop()}
}

func (s *Server) desktop() bool { return s.opts.Desktop != nil && s.opts.Desktop() }

// toolsChanged tells every client to list the tools again.
func (s *Server) toolsChanged() {
	s.mcp.SendNotificationToAllClients(string(mcp.MethodNotificationToolsListChanged), nil)
}

// publish puts an event on the engine's hub; before there is an engine nobody listens.
func (s *Server) publish(e api.Event) {
	if b, ok := s.attached(); ok {
		b.Publish(e)
	}
}
