package session

import (
	"cmp"
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
	maxLine     = 8 << 20
	outQueue    = 256 // if full, handlers block
	noteQueue   = 256 // if full, notifications are dropped
	maxInFlight = 64  // further requests are refused as busy
	maxWorkers  = 8
)

const (
	silentTime   = 10 * time.Second       // limit for the first message
	writeTimeout = 30 * time.Second       // an editor that does not read is disconnected
	CloseGrace   = 500 * time.Millisecond // some scripts close stdin before the answers arrive
	rootsTimeout = 5 * time.Second
)

type Options struct {
	MCP      *server.MCPServer
	Log      *slog.Logger
	Welcome  func(s *Session) wire.Welcome
	Private  func(ctx context.Context, s *Session, m *jsonrpc.Message) jsonrpc.Envelope
	Quitting func() bool
	PeerPID  func(net.Conn) int
	Program  func(pid int) string
}

// outgoing is a message to write. The writer closes written after it has written the message.
type outgoing struct {
	line    []byte
	written chan struct{}
}

// Session is one connection. It implements mcp-go's session interfaces.
type Session struct {
	o     Options
	id    string
	conn  net.Conn
	since time.Time

	out   chan outgoing                // messages to write, in order
	notes chan mcp.JSONRPCNotification // broadcasts of mcp-go
	done  chan struct{}
	once  sync.Once

	asked   jsonrpc.Calls
	serving jsonrpc.Serving

	background  sync.WaitGroup
	initialized atomic.Bool
	calls       atomic.Int64
	called      atomic.Int64 // time of the last call in Unix nanoseconds, or 0
	streams     atomic.Int64

	mu sync.Mutex
	state
}

type state struct {
	hello   wire.Hello
	greeted bool
	started bool // a message other than Hello has arrived
	modern  bool // a request with protocol version 2026-07-28 has arrived
	info    mcp.Implementation
	caps    mcp.ClientCapabilities
	version string
	roots   rootsCache
	choice  Choice
	last    string
	preview map[string]fs.FileInfo // identities of the previewed folders, by root
	rounds  map[string]Round       // open questions of the stateless protocol
	watches bool
}

type Choice struct {
	Root    string
	Refused bool
}

func New(o Options, id string, conn net.Conn) *Session {
	s := &Session{
		o: o, id: id, conn: conn, since: time.Now(),
		out: make(chan outgoing, outQueue), notes: make(chan mcp.JSONRPCNotification, noteQueue),
		done:  make(chan struct{}),
		asked: jsonrpc.Calls{Prefix: "srv-"}, serving: jsonrpc.Serving{Max: maxInFlight},
		state: state{hello: wire.Hello{Role: api.RoleAssistant}, preview: map[string]fs.FileInfo{},
			rounds: map[string]Round{}},
	}
	return s
}

// now returns a copy of the state. Callers must not use its maps, which are shared.
func (s *Session) now() state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

func (s *Session) update(change func(*state)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.state)
}

func FromContext(ctx context.Context) *Session {
	switch s := server.ClientSessionFromContext(ctx).(type) {
	case *Session:
		return s
	case *stream:
		return s.Session
	}
	return nil
}

func (s *Session) Hello() wire.Hello { return s.now().hello }

func (s *Session) greet(h wire.Hello) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.greeted || s.started {
		return fmt.Errorf("%s must be the first message of a connection", wire.MethodHello)
	}
	if h.Role != api.RoleTerminal && h.Role != api.RoleWindow {
		h.Role = api.RoleAssistant
	}
	s.greeted, s.hello = true, h
	return nil
}

func (s *Session) Greeted() bool { return s.now().greeted }

// Role returns the peer's role. All peers except windows and terminals are assistants.
func (s *Session) Role() api.Role { return s.now().hello.Role }

// Name returns the peer's name for users. An assistant can't pretend to be one of our programs.
func (s *Session) Name() string {
	switch s.Role() {
	case api.RoleWindow:
		return "the Search MCP window"
	case api.RoleTerminal:
		return "the terminal"
	}
	info := s.now().info
	name := cmp.Or(display.Name(info.Title), display.Name(info.Name))
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

func (s *Session) SetLastRoot(root string) { s.update(func(st *state) { st.last = root }) }

func (s *Session) SetPreviewed(root string, folder fs.FileInfo) {
	s.update(func(st *state) { st.preview[root] = folder })
}

func (s *Session) PreviewedFolder(root string) fs.FileInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.preview[root]
}

func (s *Session) Choice() Choice { return s.now().choice }

func (s *Session) Choose(c Choice) { s.update(func(st *state) { st.choice = c }) }

func (s *Session) CountCall() {
	s.calls.Add(1)
	s.called.Store(time.Now().UnixNano())
}

// PID returns the peer's PID for logs. The PID may have been reused.
func (s *Session) PID() int { return s.o.PeerPID(s.conn) }

// Process describes the peer's process as the kernel reports it, or returns "".
func (s *Session) Process() string {
	pid := s.PID()
	if pid <= 0 {
		return ""
	}
	process := "process " + strconv.Itoa(pid)
	if name := display.Name(s.o.Program(pid)); name != ownBridge { // the name of the bridge does not identify an editor
		process = name + ", " + process
	}
	return process
}

const ownBridge = "search-mcp"

func (s *Session) Since() time.Time { return s.since }

func (s *Session) Describe() wire.Session {
	st := s.now()
	w := wire.Session{ID: s.id, Client: s.Name(), Since: s.since, Calls: int(s.calls.Load()), Role: st.hello.Role,
		Project: st.last, Version: st.hello.Version}
	if at := s.called.Load(); at > 0 {
		w.Last = time.Unix(0, at)
	}
	if v := display.Name(st.info.Version); v != "" {
		w.Client += " " + v
	}
	return w
}

func (s *Session) close() {
	s.once.Do(func() {
		close(s.done)
		_ = s.conn.Close()
	})
}
