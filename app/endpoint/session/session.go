package session

import (
	"context"
	"fmt"
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
	silentTime   = 10 * time.Second       // a connection without a message by then is none; a bridge says Hello at once
	writeTimeout = 30 * time.Second       // an editor that does not read for this long is stuck
	CloseGrace   = 500 * time.Millisecond // a script that closes stdin early still gets what is nearly done
	rootsTimeout = 5 * time.Second        // a client that declared roots and does not answer has none
)

// Options are what a session needs of its server. All are required.
type Options struct {
	MCP *server.MCPServer
	Log *slog.Logger
	// Welcome answers a Hello.
	Welcome func(s *Session) wire.Welcome
	// Private serves one private method.
	Private func(ctx context.Context, s *Session, m *jsonrpc.Message) jsonrpc.Envelope
	// Quitting reports whether new work is refused.
	Quitting func() bool
	// PeerPID is the process at the other end of a connection as the kernel knows it, 0 if it does not.
	PeerPID func(net.Conn) int
	// Program names the program of a process, and what started it.
	Program func(pid int) string
}

// Session is one connection. It implements mcp-go's session interfaces.
type Session struct {
	o     Options
	id    string
	conn  net.Conn
	since time.Time

	out   chan []byte                  // requests, responses and own notifications, in order
	notes chan mcp.JSONRPCNotification // what mcp-go broadcasts; written before the next item of out
	flush chan chan struct{}
	done  chan struct{}
	once  sync.Once

	asked   jsonrpc.Calls   // our requests of the client
	serving jsonrpc.Serving // the client's requests of us
	rounds  rounds          // the client's answers that are awaited with a new request (2026-07-28)

	background  sync.WaitGroup // forwarders of events
	initialized atomic.Bool
	level       atomic.Value // mcp.LoggingLevel
	calls       atomic.Int64
	called      atomic.Int64 // when a tool was called last, in Unix nanoseconds; 0: never
	streams     atomic.Int64 // listen streams

	resources

	mu      sync.Mutex
	hello   wire.Hello
	greeted bool // Hello came
	started bool // any message came
	modern  bool // spoke 2026-07-28
	info    mcp.Implementation
	caps    mcp.ClientCapabilities
	version string
	roots   rootsCache
	choice  Choice
	last    string // project of the last call, for the sessions list
	watches bool   // gets events
}

// Choice is what the person chose when no project was detected: one for the whole session, or none.
type Choice struct {
	Root    string
	Refused bool
}

// New makes the session of a connection; id is unique among the server's.
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

// Of returns the session of a request, nil outside of one.
func Of(ctx context.Context) *Session {
	switch s := server.ClientSessionFromContext(ctx).(type) {
	case *Session:
		return s
	case *stream:
		return s.Session
	}
	return nil
}

// Hello returns what the session's Hello said; a connection without one is a bridge that sent nothing.
func (s *Session) Hello() wire.Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hello
}

// greet takes the Hello, which must be the first message of the connection.
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

// endSilent ends a connection that has said nothing yet, which takes the place of another.
func (s *Session) endSilent() {
	s.mu.Lock()
	silent := !s.started
	s.mu.Unlock()
	if silent {
		s.close()
	}
}

// Greeted reports whether a program of ours is at the other end: it knows private notifications.
func (s *Session) Greeted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.greeted
}

// Role is on whose behalf the other end speaks. It follows from the connection's Hello, which comes before anything
// else and once; no later message, name or capability changes it. What says no Hello is an assistant.
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

// Name is what the other end is called in lists and questions; never empty. Ours are named by their role. An assistant
// is called what its client calls itself, and told apart from ours if that is one of our names.
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

// reserved reports names that a person would take for a program of ours, however they are spaced and spelled.
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

// Remember notes the project of the session's last call.
func (s *Session) Remember(root string) {
	s.mu.Lock()
	s.last = root
	s.mu.Unlock()
}

// Concerned reports whether log messages about a project ("" for the app as a whole) are for this session: it has
// called a tool about it, and speaks the protocol that has such messages.
func (s *Session) Concerned(root string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.modern && (root == "" || s.last == root) && s.initialized.Load()
}

// Choice returns what the person chose when no project was detected.
func (s *Session) Choice() Choice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.choice
}

// Choose keeps it.
func (s *Session) Choose(c Choice) {
	s.mu.Lock()
	s.choice = c
	s.mu.Unlock()
}

// Called counts a call of a tool.
func (s *Session) Called() {
	s.calls.Add(1)
	s.called.Store(time.Now().UnixNano())
}

// PID is the process at the other end as the kernel knows it, 0 if it does not. For the log: it may be another program
// by the time that somebody looks.
func (s *Session) PID() int { return s.o.PeerPID(s.conn) }

// Process says in words which process is at the other end, as the kernel knows it, to stand beside the name that it
// gives itself; "" if that is not known.
func (s *Session) Process() string {
	pid := s.PID()
	if pid <= 0 {
		return ""
	}
	process := "process " + strconv.Itoa(pid)
	if name := display.Name(s.o.Program(pid)); name != ownBridge { // which every editor starts
		process = name + ", " + process
	}
	return process
}

// ownBridge is the program that editors start.
const ownBridge = "search-mcp"

// Since is when the connection began.
func (s *Session) Since() time.Time { return s.since }

// Describe is the session in a list.
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

// close ends the connection; it may be called more than once.
func (s *Session) close() {
	s.once.Do(func() {
		close(s.done)
		_ = s.conn.Close() // the peer may have closed it already
	})
}
