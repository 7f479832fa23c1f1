package endpoint

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/jsonrpc"
	"searchmcp/app/wire"
)

// Limits of a session.
const (
	maxLine     = 8 << 20 // bytes of one message; documents that an assistant adds to an index are far smaller
	outQueue    = 256     // messages waiting to be written, then handlers wait
	noteQueue   = 256     // broadcasts waiting to be written, then they are dropped
	maxInFlight = 64      // requests served or waiting, then «busy»
	maxWorkers  = 8       // of them, running at once
)

// Times of a session.
const (
	writeTimeout = 30 * time.Second       // an editor that does not read for this long is stuck
	closeGrace   = 500 * time.Millisecond // a script that closes stdin early still gets what is nearly done
	rootsTimeout = 5 * time.Second        // a client that declared roots and does not answer has none
)

// session is one connection. It implements mcp-go's session interfaces.
type session struct {
	id    string
	srv   *Server
	conn  net.Conn
	since time.Time

	out   chan []byte                  // requests, responses and own notifications, in order
	notes chan mcp.JSONRPCNotification // what mcp-go broadcasts; written before the next item of out
	flush chan chan struct{}
	done  chan struct{}
	once  sync.Once

	asked   jsonrpc.Calls   // our requests of the client
	serving jsonrpc.Serving // the client's requests of us

	background  sync.WaitGroup // forwarders of events
	initialized atomic.Bool
	level       atomic.Value // mcp.LoggingLevel
	calls       atomic.Int64

	mu       sync.Mutex
	hello    wire.Hello
	greeted  bool // Hello came
	started  bool // any message came
	modern   bool // spoke 2026-07-28
	info     mcp.Implementation
	caps     mcp.ClientCapabilities
	version  string
	subs     map[string]struct{}
	roots    rootsCache
	chosen   string // project that the person chose when none was detected
	refused  bool   // the person would not choose
	last     string // project of the last call, for the sessions list
	watching bool   // gets events
}

func newSession(srv *Server, id string, conn net.Conn) *session {
	s := &session{
		id: id, srv: srv, conn: conn, since: time.Now(),
		out: make(chan []byte, outQueue), notes: make(chan mcp.JSONRPCNotification, noteQueue),
		flush: make(chan chan struct{}), done: make(chan struct{}),
		asked: jsonrpc.Calls{Prefix: "srv-"}, serving: jsonrpc.Serving{Max: maxInFlight}, subs: map[string]struct{}{},
		hello: wire.Hello{Role: wire.RoleBridge},
	}
	s.level.Store(mcp.LoggingLevelWarning)
	return s
}

// facts returns what the session's Hello said; a connection without one is a bridge that sent nothing.
func (s *session) facts() wire.Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hello
}

// greet takes the Hello, which must be the first message of the connection.
func (s *session) greet(h wire.Hello) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.greeted || s.started {
		return fmt.Errorf("%s must be the first message of a connection", wire.MethodHello)
	}
	switch h.Role {
	case wire.RoleTerminal:
	case wire.RoleWindow:
		h.Confirmed = false
	default:
		h.Role, h.Confirmed = wire.RoleBridge, false
	}
	s.greeted, s.hello = true, h
	return nil
}

// privileged reports whether the private methods are open to this session.
func (s *session) privileged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.greeted && s.hello.Role != wire.RoleBridge
}

// client is what the other end calls itself, for lists and questions; never empty.
func (s *session) client() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.hello.Role {
	case wire.RoleWindow:
		return "the Search MCP window"
	case wire.RoleTerminal:
		return "the terminal"
	}
	name := s.info.Title
	if name == "" {
		name = s.info.Name
	}
	if name = shorten(visible(name), maxClientName); name == "" {
		return "an unnamed assistant"
	}
	return name
}

// maxClientName keeps a client from writing its own text into a question.
const maxClientName = 60

func (s *session) remember(root string) {
	s.mu.Lock()
	s.last = root
	s.mu.Unlock()
}

func (s *session) describe() wire.Session {
	w := wire.Session{ID: s.id, Client: s.client(), Since: s.since, Calls: int(s.calls.Load())}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Role, w.Project, w.Version = s.hello.Role, s.last, s.hello.Version
	if s.info.Version != "" {
		w.Client += " " + shorten(visible(s.info.Version), maxClientName)
	}
	return w
}

// close ends the connection; it may be called more than once.
func (s *session) close() {
	s.once.Do(func() {
		close(s.done)
		_ = s.conn.Close() // the peer may have closed it already
	})
}

// The methods below make session an mcp-go session.

func (s *session) SessionID() string                                   { return s.id }
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }
func (s *session) Initialize()                                         { s.initialized.Store(true) }
func (s *session) Initialized() bool                                   { return s.initialized.Load() }
func (s *session) SetLogLevel(l mcp.LoggingLevel)                      { s.level.Store(l) }
func (s *session) GetLogLevel() mcp.LoggingLevel                       { return s.level.Load().(mcp.LoggingLevel) }

func (s *session) SetClientInfo(i mcp.Implementation) {
	s.mu.Lock()
	s.info = i
	s.mu.Unlock()
}

func (s *session) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

func (s *session) SetClientCapabilities(c mcp.ClientCapabilities) {
	s.mu.Lock()
	s.caps = c
	s.mu.Unlock()
}

func (s *session) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps
}

func (s *session) SetProtocolVersion(v string) {
	s.mu.Lock()
	s.version = v
	s.mu.Unlock()
}

func (s *session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

func (s *session) SubscribeToResource(uri string) {
	s.mu.Lock()
	s.subs[uri] = struct{}{}
	s.mu.Unlock()
}

func (s *session) UnsubscribeFromResource(uri string) {
	s.mu.Lock()
	delete(s.subs, uri)
	s.mu.Unlock()
}

func (s *session) IsSubscribedToResource(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, subscribed := s.subs[uri]
	return subscribed
}

func (s *session) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.subs))
}

// SetSubscriptionFilter does nothing: the filters belong to the listen streams.
func (s *session) SetSubscriptionFilter(mcp.SubscriptionFilter) {}

// SubscriptionFilter lets nothing be broadcast to a client that spoke 2026-07-28: it gets what its listen streams ask
// for, and nothing else.
func (s *session) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mcp.SubscriptionFilter{}, s.modern
}

var (
	_ server.SessionWithLogging               = (*session)(nil)
	_ server.SessionWithClientInfo            = (*session)(nil)
	_ server.SessionWithElicitation           = (*session)(nil)
	_ server.SessionWithRoots                 = (*session)(nil)
	_ server.SessionWithResourceSubscriptions = (*session)(nil)
	_ server.SessionWithProtocolVersion       = (*session)(nil)
	_ server.SessionWithSubscriptionFilter    = (*session)(nil)
)
