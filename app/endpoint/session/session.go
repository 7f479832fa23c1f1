package session

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const (
	maxLine     = 8 << 20 // bytes of one message
	outQueue    = 256     // queued messages; more block the handlers
	noteQueue   = 256     // queued broadcasts; more are dropped
	maxInFlight = 64      // running or waiting requests; more are refused as busy
	maxWorkers  = 8       // concurrently running requests
)

const (
	silentTime   = 10 * time.Second       // limit until the first message
	writeTimeout = 30 * time.Second       // limit after which an editor that does not read is disconnected
	CloseGrace   = 500 * time.Millisecond // so that a script that closes stdin early gets almost finished answers
	rootsTimeout = 5 * time.Second        // limit after which a client counts as having no roots
)

// Options are the dependencies of a session. All are required.
type Options struct {
	MCP *server.MCPServer
	Log *slog.Logger
	// Welcome answers a Hello.
	Welcome func(s *Session) wire.Welcome
	// Private serves one private method.
	Private func(ctx context.Context, s *Session, m *jsonrpc.Message) jsonrpc.Envelope
	// Quitting reports whether the app refuses new work.
	Quitting func() bool
	// PeerPID returns the PID of a connection's peer from the kernel, or 0.
	PeerPID func(net.Conn) int
	// Program returns the names of a process and its parent.
	Program func(pid int) string
}

// Session is one connection. It implements mcp-go's session interfaces.
type Session struct {
	o     Options
	id    string
	conn  net.Conn
	since time.Time

	out   chan []byte                  // requests, responses and own notifications, in order
	notes chan mcp.JSONRPCNotification // mcp-go's broadcasts, written before the next item of out
	flush chan chan struct{}
	done  chan struct{}
	once  sync.Once

	asked   jsonrpc.Calls   // requests to the client
	serving jsonrpc.Serving // requests from the client
	rounds  rounds          // questions that later requests answer (2026-07-28)

	background  sync.WaitGroup // event forwarders
	initialized atomic.Bool
	level       atomic.Value // mcp.LoggingLevel
	calls       atomic.Int64
	called      atomic.Int64 // time of the last tool call in Unix nanoseconds; 0 if none
	streams     atomic.Int64 // number of listen streams

	mu      sync.Mutex
	hello   wire.Hello
	greeted bool // received Hello
	started bool // received any message
	modern  bool // sent a request of the stateless protocol (2026-07-28)
	info    mcp.Implementation
	caps    mcp.ClientCapabilities
	version string
	roots   rootsCache
	choice  Choice
	last    string                 // project of the last call
	preview map[string]fs.FileInfo // identities of previewed folders, by root
	watches bool                   // receives events
}

// Choice is the project that the user chose because none was detected.
type Choice struct {
	Root    string
	Refused bool
}

// New returns the session of conn. id is unique within the server.
func New(o Options, id string, conn net.Conn) *Session {
	s := &Session{
		o: o, id: id, conn: conn, since: time.Now(),
		out: make(chan []byte, outQueue), notes: make(chan mcp.JSONRPCNotification, noteQueue),
		flush: make(chan chan struct{}), done: make(chan struct{}),
		asked: jsonrpc.Calls{Prefix: "srv-"}, serving: jsonrpc.Serving{Max: maxInFlight},
		hello: wire.Hello{Role: wire.RoleBridge},
	}
	s.level.Store(mcp.LoggingLevelWarning)
	return s
}

func get[T any](s *Session, field *T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *field
}

func set[T any](s *Session, field *T, value T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*field = value
}

// Of returns the session of a request, or nil.
func Of(ctx context.Context) *Session {
	switch s := server.ClientSessionFromContext(ctx).(type) {
	case *Session:
		return s
	case *stream:
		return s.Session
	}
	return nil
}

// Hello returns the connection's Hello, or by default an empty Hello of a bridge.
func (s *Session) Hello() wire.Hello { return get(s, &s.hello) }

func (s *Session) greet(h wire.Hello) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.greeted || s.started {
		return fmt.Errorf("%s must be the first message of a connection", wire.MethodHello)
	}
	if h.Role != wire.RoleTerminal && h.Role != wire.RoleWindow {
		h.Role = wire.RoleBridge
	}
	s.greeted, s.hello = true, h
	return nil
}

// endSilent ends a connection that has sent nothing, because it occupies a session.
func (s *Session) endSilent() {
	if !get(s, &s.started) {
		s.close()
	}
}

func (s *Session) Greeted() bool { return get(s, &s.greeted) }

// Role returns the role from the connection's Hello. All peers except windows and terminals count as assistants.
func (s *Session) Role() api.Role {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.role()
}

func (s *Session) role() api.Role {
	switch s.hello.Role {
	case wire.RoleWindow:
		return api.RoleWindow
	case wire.RoleTerminal:
		return api.RoleTerminal
	}
	return api.RoleAssistant
}

// Name returns the peer's display name. It is fixed for our programs. An assistant's name is marked if it resembles one
// of ours.
func (s *Session) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.role() {
	case api.RoleWindow:
		return "the Search MCP window"
	case api.RoleTerminal:
		return "the terminal"
	}
	name := display.Name(s.info.Title)
	if name == "" {
		name = display.Name(s.info.Name)
	}
	switch {
	case name == "":
		return "an unnamed assistant"
	case reserved(name):
		return "an assistant that calls itself “" + name + "”"
	}
	return name
}

// reserved reports whether a user could mistake name for one of our programs.
func reserved(name string) bool {
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	switch strings.TrimPrefix(letters, "the") {
	case "terminal", "window", "tray", "commandline", "app":
		return true
	}
	return strings.Contains(letters, "searchmcp")
}

func (s *Session) Remember(root string) { set(s, &s.last, root) }

// Previewed records the identity of a folder before the user sees its preview.
func (s *Session) Previewed(root string, folder fs.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.preview == nil {
		s.preview = map[string]fs.FileInfo{}
	}
	s.preview[root] = folder
}

// Seen returns the identity that Previewed recorded for root, or nil.
func (s *Session) Seen(root string) fs.FileInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.preview[root]
}

// Concerned reports whether the session receives log messages about the project root, or about the app if root is "".
func (s *Session) Concerned(root string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.modern && (root == "" || s.last == root) && s.initialized.Load()
}

func (s *Session) Choice() Choice { return get(s, &s.choice) }

func (s *Session) Choose(c Choice) { set(s, &s.choice, c) }

func (s *Session) Called() {
	s.calls.Add(1)
	s.called.Store(time.Now().UnixNano())
}

// PID returns the PID of the peer from the kernel, or 0. It is only for logs, because the PID may have been reused.
func (s *Session) PID() int { return s.o.PeerPID(s.conn) }

// Process describes the peer's process as the kernel reports it, or returns "".
func (s *Session) Process() string {
	pid := s.PID()
	if pid <= 0 {
		return ""
	}
	process := "process " + strconv.Itoa(pid)
	if name := display.Name(s.o.Program(pid)); name != ownBridge { // every editor's bridge has this name
		process = name + ", " + process
	}
	return process
}

// ownBridge is the program that every editor starts as a bridge.
const ownBridge = "search-mcp"

func (s *Session) Since() time.Time { return s.since }

// Describe returns the session for Status.
func (s *Session) Describe() wire.Session {
	w := wire.Session{ID: s.id, Client: s.Name(), Since: s.since, Calls: int(s.calls.Load())}
	if at := s.called.Load(); at > 0 {
		w.Last = time.Unix(0, at)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Role, w.Project, w.Version = s.hello.Role, s.last, s.hello.Version
	if v := display.Name(s.info.Version); v != "" {
		w.Client += " " + v
	}
	return w
}

func (s *Session) close() {
	s.once.Do(func() {
		close(s.done)
		_ = s.conn.Close() // the peer may have closed it already
	})
}
