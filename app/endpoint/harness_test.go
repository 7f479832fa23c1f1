package endpoint

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// host is a server whose connections end with the test.
type host struct {
	*Server
	ctx  context.Context
	stop func() // ends all connections and waits for them
	wait sync.WaitGroup
}

// newServer returns a server for e, which may be nil, with defaults for the options that o lacks.
func newServer(e Engine, o Options) *Server {
	o.Version = cmp.Or(o.Version, "1.2.3")
	o.Data = cmp.Or(o.Data, "/no/such/folder")
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Desktop == nil {
		o.Desktop = func() bool { return false }
	}
	if o.ShowWindow == nil {
		o.ShowWindow = noWindow
	}
	if o.QuitRequested == nil {
		o.QuitRequested = func() {}
	}
	if o.PeerPID == nil {
		o.PeerPID, o.Program = func(net.Conn) int { return 0 }, func(int) string { return "a program" }
	}
	o.Met = func(string) {}
	s := New(o)
	if e != nil {
		s.Attach(e)
	}
	return s
}

func serve(t *testing.T, e Engine, o ...Options) *host {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h := &host{Server: newServer(e, append(o, Options{})[0]), ctx: ctx}
	h.stop = func() {
		cancel()
		h.wait.Wait()
	}
	t.Cleanup(h.stop)
	return h
}

// listen serves e on a real socket. stop ends all connections and checks that Serve returned without an error.
func listen(t *testing.T, e Engine) (h *host, dial func() net.Conn, stop func()) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	h = &host{ctx: ctx, Server: newServer(e, Options{})}
	served := make(chan error, 1)
	go func() { served <- h.Serve(ctx, l) }()
	dial = func() net.Conn {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Error(err)
		}
		return c
	}
	return h, dial, func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		h.wait.Wait()
	}
}

func (h *host) dial() net.Conn {
	here, there := net.Pipe()
	h.wait.Go(func() { _ = h.ServeConn(h.ctx, there) })
	return here
}

// peer is a client that reads and writes plain lines.
type peer struct {
	t    *testing.T
	conn net.Conn
	in   chan map[string]json.RawMessage
	gone chan struct{}
	next int
	kept []map[string]json.RawMessage

	consent api.Answer // sent with every call of a tool
}

// Limits and timeouts from a client's view.
const (
	maxLine      = 8 << 20
	maxInFlight  = 64
	maxWorkers   = 8
	writeTimeout = 30 * time.Second
	windowTime   = 20 * time.Second
	patience     = 25 * time.Second
	heartbeat    = 5 * time.Second
	documentPage = 200
)

func (h *host) peer(t *testing.T, hello *wire.Hello) *peer {
	t.Helper()
	return h.over(t, h.dial(), hello)
}

func (h *host) over(t *testing.T, conn net.Conn, hello *wire.Hello) *peer {
	t.Helper()
	p := &peer{t: t, conn: conn, in: make(chan map[string]json.RawMessage, 4096), gone: make(chan struct{})}
	t.Cleanup(func() { _ = p.conn.Close() })
	h.wait.Go(func() {
		defer close(p.gone)
		r := bufio.NewReaderSize(p.conn, 1<<20)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			if runtime.GOOS == "windows" {
				line = bytes.ReplaceAll(line, []byte("C:/"), []byte("/"))
			}
			var m map[string]json.RawMessage
			if json.Unmarshal(line, &m) != nil {
				m = map[string]json.RawMessage{"garbage": json.RawMessage(fmt.Sprintf("%q", line))}
			}
			p.in <- m
		}
	})
	if hello != nil {
		p.call(string(wire.MethodHello), hello)
	}
	return p
}

// drive adds a drive letter to the fake engine's Unix paths, so that they are absolute on Windows.
var drive = strings.NewReplacer(`"/p/`, `"C:/p/`, `"/gone`, `"C:/gone`, `"/home/u`, `"C:/home/u`, `"/"`, `"C:/"`,
	`"file:///`, `"file:///C:/`)

func driveless(path string) string { return strings.TrimPrefix(filepath.ToSlash(path), "C:") }

// withDrive adds the drive to a client's line.
func withDrive(line string) []byte {
	if runtime.GOOS == "windows" {
		line = drive.Replace(line)
	}
	return []byte(line + "\n")
}

func (p *peer) raw(line string) {
	p.t.Helper()
	if _, err := p.conn.Write(withDrive(line)); err != nil {
		p.t.Fatalf("write: %v", err)
	}
}

func (p *peer) send(m map[string]any) {
	p.t.Helper()
	m["jsonrpc"] = "2.0"
	b, err := json.Marshal(m)
	must(p.t, err)
	p.raw(string(b))
}

// request sends a request and returns its id as on the wire.
func (p *peer) request(method string, params any) string {
	p.t.Helper()
	p.next++
	p.send(map[string]any{"id": p.next, "method": method, "params": params})
	return fmt.Sprint(p.next)
}

// until returns the first matching message, and keeps other messages for later calls.
func (p *peer) until(what string, fits func(m map[string]json.RawMessage) bool) map[string]json.RawMessage {
	p.t.Helper()
	for i, m := range p.kept {
		if fits(m) {
			p.kept = append(p.kept[:i:i], p.kept[i+1:]...)
			return m
		}
	}
	timeout := time.After(10 * time.Minute) // in the bubble; outside, the test's own timeout is shorter
	for {
		select {
		case m := <-p.in:
			if fits(m) {
				return m
			}
			p.kept = append(p.kept, m)
		case <-p.gone:
			p.t.Fatalf("connection closed while waiting for %s; kept %v", what, p.kept)
		case <-timeout:
			p.t.Fatalf("no %s; kept %s", what, p.kept)
		}
	}
}

func (p *peer) answer(id string) map[string]json.RawMessage {
	p.t.Helper()
	return p.until("answer to "+id, func(m map[string]json.RawMessage) bool {
		return m["method"] == nil && string(m["id"]) == id
	})
}

func (p *peer) asked(method string) map[string]json.RawMessage {
	p.t.Helper()
	return p.until(method, func(m map[string]json.RawMessage) bool { return string(m["method"]) == `"`+method+`"` })
}

// call sends a request and returns the raw result, or the error's message.
func (p *peer) call(method string, params any) (result json.RawMessage, failure string) {
	p.t.Helper()
	m := p.answer(p.request(method, params))
	if m["error"] != nil {
		var e jsonrpc.Error
		must(p.t, json.Unmarshal(m["error"], &e))
		return nil, fmt.Sprintf("%d %s", e.Code, e.Message)
	}
	return m["result"], ""
}

func (p *peer) handshake(caps map[string]any) {
	p.t.Helper()
	p.result("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": caps,
		"clientInfo": map[string]any{"name": "probe", "title": "Probe Editor", "version": "1"}}, nil)
	p.send(map[string]any{"method": "notifications/initialized"})
}

// connected serves e and returns a peer after the handshake.
func connected(t *testing.T, e Engine, hello wire.Hello, caps map[string]any) *peer {
	t.Helper()
	return serve(t, e).client(t, &hello, caps)
}

// client returns a peer after the handshake.
func (h *host) client(t *testing.T, hello *wire.Hello, caps map[string]any) *peer {
	t.Helper()
	p := h.peer(t, hello)
	p.handshake(caps)
	return p
}

// result sends a request, which must succeed, and decodes its result into v, unless v is nil.
func (p *peer) result(method string, params, v any) {
	p.t.Helper()
	raw, failure := p.call(method, params)
	if failure != "" {
		p.t.Fatalf("%s: %s", method, failure)
	}
	if v != nil {
		unmarshal(p.t, raw, v)
	}
}

// toolResult is a tool's result as a client decodes it.
type toolResult struct {
	Structured json.RawMessage `json:"structuredContent"`
	Content    []struct {
		Text string `json:"text"`
	} `json:"content"`
	IsError bool   `json:"isError"`
	Type    string `json:"resultType"`
	State   string `json:"requestState"`
	Inputs  map[string]struct {
		Method string `json:"method"`
		Params struct {
			Message string `json:"message"`
		} `json:"params"`
	} `json:"inputRequests"`
}

func (r toolResult) code() string {
	var e api.Error
	_ = json.Unmarshal(r.Structured, &e)
	return string(e.Code)
}

func (r toolResult) field(t *testing.T, name string) any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(r.Structured, &m); err != nil {
		t.Fatalf("structured content %q: %v", r.Structured, err)
	}
	return m[name]
}

func decode(t *testing.T, m map[string]json.RawMessage) toolResult {
	t.Helper()
	if m["error"] != nil {
		t.Fatalf("protocol error %s", m["error"])
	}
	var r toolResult
	must(t, json.Unmarshal(m["result"], &r))
	if len(r.Structured) > 0 {
		var a, b bytes.Buffer
		if err := json.Compact(&a, []byte(r.Content[0].Text)); err != nil {
			t.Fatalf("text is no JSON: %v", err)
		}
		json.HTMLEscape(&b, a.Bytes())
		if b.String() != string(r.Structured) {
			t.Fatalf("text and structure differ:\n%s\n%s", b.String(), r.Structured)
		}
	}
	return r
}

// tool calls a tool in the protocol with a handshake.
func (p *peer) tool(name string, args map[string]any) toolResult {
	p.t.Helper()
	params := map[string]any{"name": name, "arguments": args}
	if p.consent != "" {
		params["_meta"] = map[string]any{wire.MetaConsent: p.consent}
	}
	return decode(p.t, p.answer(p.request("tools/call", params)))
}

// modern is the _meta of a stateless request.
func modern(caps map[string]any) map[string]any {
	if caps == nil {
		caps = map[string]any{}
	}
	return map[string]any{
		mcp.MetaKeyProtocolVersion: mcp.ProtocolVersion20260728, mcp.MetaKeyClientCapabilities: caps,
		mcp.MetaKeyClientInfo: map[string]any{"name": "modern-probe", "version": "2"},
	}
}

func (p *peer) modernTool(name string, args map[string]any, caps map[string]any, more map[string]any) toolResult {
	p.t.Helper()
	params := map[string]any{"name": name, "arguments": args, "_meta": modern(caps)}
	for k, v := range more {
		params[k] = v
	}
	return decode(p.t, p.answer(p.request("tools/call", params)))
}

var elicitation = map[string]any{"elicitation": map[string]any{}}

// reply answers a request of the server.
func (p *peer) reply(m map[string]json.RawMessage, result any) {
	p.t.Helper()
	p.send(map[string]any{"id": m["id"], "result": result})
}

// goAhead is the content of an accepted form that means yes.
var goAhead = map[string]any{"confirm": true}

func accept(content map[string]any) map[string]any {
	return map[string]any{"action": "accept", "content": content}
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

// wantPart reports a text without part. The format names the text.
func wantPart(t testing.TB, text, part, format string, args ...any) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: no %q in %s", fmt.Sprintf(format, args...), part, text)
	}
}

// wantText reports an answer that lacks one of parts.
func wantText(t *testing.T, r toolResult, parts ...string) {
	t.Helper()
	for _, part := range parts {
		wantPart(t, string(r.Structured), part, "answer")
	}
}

// wantField reports an answer whose field isn't value, or that lacks one of parts.
func wantField(t *testing.T, r toolResult, name string, value any, parts ...string) {
	t.Helper()
	wantEqual(t, r.field(t, name), value, "%s of %s", name, r.Structured)
	wantText(t, r, parts...)
}

// wantCode reports an answer that isn't the error code, or that lacks one of parts.
func wantCode(t *testing.T, r toolResult, code api.Code, parts ...string) {
	t.Helper()
	wantEqual(t, api.Code(r.code()), code, "code of %s", r.Structured)
	wantText(t, r, parts...)
}

func wantSuccess(t *testing.T, r toolResult) {
	t.Helper()
	if r.IsError {
		t.Errorf("%s", r.Structured)
	}
}

// wantPrefix reports a text without prefix. The format names the text.
func wantPrefix(t *testing.T, text, prefix, format string, args ...any) {
	t.Helper()
	if !strings.HasPrefix(text, prefix) {
		t.Errorf("%s: %q, want %q …", fmt.Sprintf(format, args...), text, prefix)
	}
}

// failure returns the error of a call.
func failure(_ json.RawMessage, e string) string { return e }
