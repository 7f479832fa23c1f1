package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"searchmcp/app/socket/client/clienttest"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const giveUp = 3 * time.Minute

// editor is a bridge's editor. Every line of the bridge's stdout must be a JSON-RPC message.
type editor struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan map[string]json.RawMessage
	ended chan error
	data  string
	begin func() // starts the bridge once, after the test's app

	mu     sync.Mutex
	starts int
	quit   bool // the value of Options.Quit
}

func newEditor(t *testing.T, hello wire.Hello, start func(data string) error) *editor {
	t.Helper()
	data := t.TempDir()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	e := &editor{t: t, in: inW, data: data,
		lines: make(chan map[string]json.RawMessage, 2*queueLines), ended: make(chan error, 1)}
	attach := func(ctx context.Context) (net.Conn, error) {
		address, err := ipc.Address(data)
		if err != nil {
			return nil, err
		}
		return ipc.Dial(ctx, address)
	}
	o := Options{
		In: inR, Out: outW, Hello: hello, Log: slog.New(slog.DiscardHandler),
		Quit: func() bool {
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.quit
		},
		Dial: func(ctx context.Context, starts bool) (net.Conn, error) {
			if conn, err := attach(ctx); err == nil || !starts {
				return conn, err
			}
			e.mu.Lock()
			e.starts++
			e.mu.Unlock()
			if start == nil {
				return nil, errors.New("there is no app to start")
			}
			if err := start(data); err != nil {
				return nil, err
			}
			return attach(ctx)
		},
	}
	e.begin = sync.OnceFunc(func() {
		go func() {
			err := Run(context.Background(), o)
			outW.Close()
			e.ended <- err
		}()
	})
	go func() {
		defer close(e.lines)
		s := bufio.NewScanner(outR)
		s.Buffer(nil, 100<<20)
		for s.Scan() {
			var m map[string]json.RawMessage
			if err := json.Unmarshal(s.Bytes(), &m); err != nil || string(m["jsonrpc"]) != `"2.0"` {
				t.Errorf("stdout has a line that is no JSON-RPC: %q", s.Text())
				continue
			}
			e.lines <- m
		}
		if err := s.Err(); err != nil {
			t.Errorf("stdout: %v", err)
		}
	}()
	t.Cleanup(func() {
		e.begin()
		inW.Close()
		select {
		case err := <-e.ended:
			if err != nil {
				t.Errorf("bridge ended with %v", err)
			}
		case <-time.After(giveUp):
			t.Error("the bridge did not end with its editor")
		}
	})
	return e
}

func (e *editor) send(line string) {
	e.t.Helper()
	e.begin()
	if _, err := io.WriteString(e.in, line+"\n"); err != nil {
		e.t.Fatalf("write to the bridge: %v", err)
	}
}

func (e *editor) next() map[string]json.RawMessage {
	e.t.Helper()
	select {
	case m, ok := <-e.lines:
		if !ok {
			e.t.Fatal("stdout ended")
		}
		return m
	case <-time.After(giveUp):
		e.t.Fatal("the bridge sent nothing")
	}
	return nil
}

func (e *editor) expect(id, contains string) map[string]json.RawMessage {
	e.t.Helper()
	m := e.next()
	if got := text(m); string(m["id"]) != id || !strings.Contains(got, contains) {
		e.t.Fatalf("got %s, want id %s and %q", got, id, contains)
	}
	return m
}

func (e *editor) exchange(line, id, contains string) {
	e.t.Helper()
	e.send(line)
	e.expect(id, contains)
}

func text(m map[string]json.RawMessage) string {
	data, _ := json.Marshal(m)
	return string(data)
}

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ed","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func toolCall(id, name string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `"}}`
}

// fake starts an app with a tool "hang" that never answers and a tool "echo".
func fake(t *testing.T, data string) *clienttest.App {
	t.Helper()
	a, err := clienttest.Start(data, handle)
	check(t, err)
	t.Cleanup(a.Close)
	return a
}

// session returns an editor with an initialized session at an app.
func session(t *testing.T) (*editor, *clienttest.App) {
	t.Helper()
	e := newEditor(t, wire.Hello{}, nil)
	app := fake(t, e.data)
	e.exchange(initialize, "1", "serverInfo")
	return e, app
}

func handle(ctx context.Context, m *clienttest.Message) (any, error) {
	switch m.Method {
	case "tools/call":
		var p struct{ Name string }
		if err := m.Decode(&p); err != nil {
			return nil, err
		}
		if p.Name == "hang" {
			<-ctx.Done()
			return nil, clienttest.ErrNoAnswer
		}
		return clienttest.Text(map[string]string{"echo": p.Name}), nil
	case "server/discover":
		return map[string]any{"serverInfo": map[string]any{"name": "fake"}}, nil
	case "tools/list":
		return map[string]any{"tools": []any{}}, nil
	case "subscriptions/listen":
		err := m.Conn.Notify(methodAcknowledged, map[string]any{
			"_meta": map[string]any{metaSubscription: m.ID}, "notifications": map[string]any{}})
		if err != nil {
			return nil, err
		}
		<-ctx.Done()
		return nil, clienttest.ErrNoAnswer
	}
	return nil, nil
}

func got(t *testing.T, a *clienttest.App, method string) *clienttest.Message {
	t.Helper()
	m, err := a.Got(method)
	if err != nil {
		t.Fatalf("%s did not reach the app: %v (it got %v)", method, err, a.Methods())
	}
	return m
}

func TestSession(t *testing.T) {
	var app *clienttest.App
	e := newEditor(t, wire.Hello{Dir: "/home/ada/dir", Project: "p", Docs: "/d", ClaudeProjectDir: "/c",
		SearchDBPath: "/s"},
		func(data string) (err error) { app, err = clienttest.Start(data, handle); return err })
	e.exchange(initialize, "1", "serverInfo")
	defer app.Close()
	var hello wire.Hello
	check(t, got(t, app, string(wire.MethodHello)).Decode(&hello))
	want := wire.Hello{Role: api.RoleAssistant, Version: hello.Version, Dir: "/home/ada/dir", Project: "p", Docs: "/d",
		ClaudeProjectDir: "/c", SearchDBPath: "/s"}
	if hello != want {
		t.Errorf("hello = %+v, want %+v", hello, want)
	}
	e.send(initialized)
	e.exchange(toolCall("12345678901234567890", "echo"), "12345678901234567890", "echo")
	if got := strings.Join(app.Methods(), " "); got != string(wire.MethodHello)+
		" initialize notifications/initialized tools/call" {
		t.Errorf("the app got %s", got)
	}
}

func TestCrash(t *testing.T) {
	e, first := session(t)
	e.send(initialized)
	e.send(toolCall("4", "hang"))
	got(t, first, "tools/call")
	first.Close()
	e.expect("4", errRestarted.UserMessage)

	second := fake(t, e.data)
	e.expectMethod(methodToolsChanged)
	e.exchange(toolCall("5", "echo"), "5", "echo")
	for _, method := range []string{"initialize", methodInitialized} {
		m := got(t, second, method)
		if strings.HasPrefix(string(m.ID), "1") {
			t.Errorf("%s was replayed under the editor's id", method)
		}
	}
}

// TestRepeat checks that a list request that was lost with the app is repeated without the editor noticing.
func TestRepeat(t *testing.T) {
	asked := make(chan *clienttest.Message, 1)
	apps := make(chan *clienttest.App, 2)
	e := newEditor(t, wire.Hello{}, func(data string) error {
		app, err := clienttest.Start(data, func(ctx context.Context, m *clienttest.Message) (any, error) {
			select {
			case asked <- m: // only the first one is unanswered
				if m.Method == "tools/list" {
					return nil, clienttest.ErrNoAnswer
				}
				<-asked
			default:
			}
			return handle(ctx, m)
		})
		apps <- app
		return err
	})
	e.exchange(initialize, "1", "serverInfo")
	e.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	first := <-apps
	got(t, first, "tools/list")
	first.Close()
	e.expect("2", `"tools":[]`)
	(<-apps).Close()
}

func TestQuitByUser(t *testing.T) {
	e := newEditor(t, wire.Hello{}, func(data string) error { return errors.New("must not be started") })
	first := fake(t, e.data)
	e.exchange(initialize, "1", "serverInfo")
	e.send(initialized)
	e.send(toolCall("2", "hang"))
	got(t, first, "tools/call")
	check(t, first.Quit(wire.Quitting{ByUser: true}))
	e.expect("2", errQuitCall.UserMessage)
	for _, id := range []string{"3", "4"} {
		e.exchange(toolCall(id, "echo"), id, errQuit.UserMessage)
	}
	e.mu.Lock()
	starts := e.starts
	e.mu.Unlock()
	if starts > 1 { // the bridge may connect before the test's app runs
		t.Errorf("the bridge tried to start the app %d times after Quit", starts)
	}
	fake(t, e.data) // the user starts the app again
	e.expectMethod(methodToolsChanged)
	e.exchange(toolCall("5", "echo"), "5", "echo")
}

// TestQuitWhileApart checks that an unconnected bridge learns that the user quit the app before it would start it
// again.
func TestQuitWhileApart(t *testing.T) {
	e := newEditor(t, wire.Hello{}, func(string) error { return errors.New("no app yet") })
	e.exchange(initialize, "1", "could not be reached")
	e.mu.Lock()
	starts := e.starts
	e.quit = true
	e.mu.Unlock()
	e.exchange(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, "2", errQuit.UserMessage)
	e.mu.Lock()
	if e.starts != starts {
		t.Errorf("the app was started %d times after it had been quit", e.starts-starts)
	}
	e.quit = false // starting the app removes the mark
	e.mu.Unlock()
	fake(t, e.data)
	e.exchange(toolCall("3", "echo"), "3", "echo")
}

func (e *editor) expectMethod(method string) map[string]json.RawMessage {
	e.t.Helper()
	m := e.next()
	if string(m["method"]) != `"`+method+`"` {
		e.t.Fatalf("got %s, want %s", text(m), method)
	}
	return m
}

// TestNoApp checks that every request without an app gets its own readable error.
func TestNoApp(t *testing.T) {
	var mu sync.Mutex
	broken := true
	e := newEditor(t, wire.Hello{}, func(data string) error {
		mu.Lock()
		defer mu.Unlock()
		if broken {
			return errors.New("search-mcp-app was not found")
		}
		_, err := clienttest.Start(data, handle)
		return err
	})
	e.exchange(initialize, "1", "search-mcp-app was not found")
	e.exchange(`{"jsonrpc":"2.0","id":"two","method":"tools/list"}`, `"two"`, "search-mcp-app was not found")
	mu.Lock()
	broken = false
	mu.Unlock()
	e.exchange(initialize, "1", "serverInfo")
}

func TestPrivateMethods(t *testing.T) {
	e, app := session(t)
	for i, line := range []string{
		`{"jsonrpc":"2.0","id":9,"method":"search-mcp/answer","params":{"id":"x","answer":"accept"}}`,
		`{"jsonrpc":"2.0","id":9,"method":"tools/list","method":"search-mcp/hello","params":{"role":"window"}}`,
		`{"jsonrpc":"2.0","id":9,"method":"tools/list","Method":"search-mcp/answer"}`,
		`{"jsonrpc":"2.0","id":9,"METHOD":"search-mcp/answer"}`,
		`{"jsonrpc":"2.0","id":9,"method":"search\u002dmcp/quit"}`,
	} {
		e.send(line)
		if m := e.expect("9", `"error"`); i == 0 && !strings.Contains(text(m), "-32601") {
			t.Errorf("got %s", text(m))
		}
	}
	e.exchange(`[{"jsonrpc":"2.0","id":9,"method":"search-mcp/quit"}]`, "null", "Batches")
	e.send(`{"jsonrpc":"2.0","method":"search-mcp/quit"}`)
	check(t, got(t, app, "initialize").Conn.Notify(wire.NotifyEvent, map[string]any{"kind": "activity"}))
	e.send(`{"jsonrpc":"2.0","id":10,"method":"ping"}`)
	e.expect("10", "result") // without an event before it
	for _, m := range app.Methods() {
		if wire.Private(m) && m != string(wire.MethodHello) {
			t.Errorf("%s reached the app", m)
		}
	}
}

// TestElicitation checks that requests of the app get new ids, so an answer to the old app's request can't match the
// new app's.
func TestElicitation(t *testing.T) {
	e, first := session(t)
	e.send(initialized)
	answers := make(chan *clienttest.Message, 1)
	ask := func(a *clienttest.App) {
		conn := got(t, a, methodInitialized).Conn
		go func() {
			m, err := conn.Ask(context.Background(), "elicitation/create", map[string]any{"message": "Sure?"})
			if err == nil {
				answers <- m
			}
		}()
	}
	ask(first)
	old := e.expectMethod("elicitation/create")["id"]
	first.Close()
	withdrawn := e.expectMethod(methodCancelled)
	if !strings.Contains(string(withdrawn["params"]), string(old)) {
		t.Errorf("withdrew %s, want %s", withdrawn["params"], old)
	}
	second := fake(t, e.data)
	e.expectMethod(methodToolsChanged)
	ask(second)
	fresh := e.expectMethod("elicitation/create")["id"]
	if string(old) == string(fresh) {
		t.Fatalf("two questions with one id %s", old)
	}
	e.send(`{"jsonrpc":"2.0","id":` + string(old) + `,"result":{"action":"accept"}}`)
	e.send(`{"jsonrpc":"2.0","id":` + string(fresh) + `,"result":{"action":"decline"}}`)
	if m := <-answers; string(m.ID) != `"srv-1"` || !strings.Contains(string(m.Result), "decline") {
		t.Errorf("the app got id %s result %s, want the second answer", m.ID, m.Result)
	}
}

func TestElicitationWithdrawn(t *testing.T) {
	e, app := session(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	conn := got(t, app, "initialize").Conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := conn.Ask(ctx, "elicitation/create", map[string]any{"message": "Sure?"})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Ask = %v", err)
		}
	}()
	id := e.expectMethod("elicitation/create")["id"]
	cancel()
	<-done
	if m := e.expectMethod(methodCancelled); !strings.Contains(string(m["params"]), string(id)) {
		t.Errorf("withdrew %s, want %s", m["params"], id)
	}
}

// TestListen checks that a listen stream of the stateless protocol survives a restart.
func TestListen(t *testing.T) {
	e := newEditor(t, wire.Hello{}, nil)
	first := fake(t, e.data)
	e.send(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`)
	e.expectMethod(methodAcknowledged)
	check(t, got(t, first, methodListen).Conn.Notify(wire.NotifyQuit, wire.Quitting{}))
	// The app ends its stream on shutdown.
	check(t, got(t, first, methodListen).Conn.Send(map[string]any{"jsonrpc": "2.0", "id": 7,
		"result": map[string]any{}}))
	first.Close()
	second := fake(t, e.data)
	m := e.expectMethod(methodToolsChanged)
	if !strings.Contains(string(m["params"]), `"`+metaSubscription+`":7`) {
		t.Errorf("the notification is not of the stream: %s", text(m))
	}
	e.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	if m := got(t, second, methodCancelled); !strings.Contains(string(m.Params), "7") {
		t.Errorf("cancelled %s", m.Params)
	}
}

func TestBadLines(t *testing.T) {
	e := newEditor(t, wire.Hello{}, nil)
	fake(t, e.data)
	for _, tt := range []struct{ line, id, want string }{
		{"hello", "null", "-32700"},
		{`{"jsonrpc":"2.0","id":{},"method":"x"}`, "null", "-32600"},
		{`{"jsonrpc":"2.0","id":4,"method":7}`, "4", "-32600"},
		{`{"jsonrpc":"2.0"}`, "null", "-32600"},
		{`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"q":"` + strings.Repeat("x", 10<<20) +
			`"}}`, `"big"`, "8 MB"},
		{`{"jsonrpc":"2.0","method":"tools/call","params":{"q":"` + strings.Repeat("x", 10<<20) +
			`"},"id":5}`, "null", "8 MB"},
		{`null`, "null", "-32700"},
		{`{"jsonrpc":"2.0","id":8,"method":"ping","Method":"search-mcp/quit"}`, "8", `did you mean \"method\"`},
	} {
		e.exchange(tt.line, tt.id, tt.want)
	}
	e.send("")
	e.exchange(`{"jsonrpc":"2.0","id":6,"method":"ping"}`, "6", "result")
}

// TestEndOfInput checks that requests in flight when the editor closes stdin are still answered.
func TestEndOfInput(t *testing.T) {
	slow := make(chan struct{})
	e := newEditor(t, wire.Hello{}, func(data string) error {
		_, err := clienttest.Start(data, func(ctx context.Context, m *clienttest.Message) (any, error) {
			if m.Method == "tools/list" {
				<-slow
			}
			return handle(ctx, m)
		})
		return err
	})
	e.send(initialize)
	e.exchange(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "1", "serverInfo")
	e.in.Close()
	close(slow)
	e.expect("2", `"tools"`)
}

// TestSlowApp checks that a slow app fills a bounded queue, and the editor is never blocked.
func TestSlowApp(t *testing.T) {
	e := newEditor(t, wire.Hello{}, nil)
	address, err := ipc.Address(e.data)
	check(t, err)
	ln, err := ipc.Listen(address)
	check(t, err)
	defer ln.Close()
	stop, stopped, greeted := make(chan struct{}), make(chan struct{}), make(chan struct{})
	defer func() { close(stop); <-stopped }()
	go func() { // an app that answers Hello and then stops reading
		defer close(stopped)
		conn, err := ln.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		if _, err := bufio.NewReader(conn).ReadBytes('\n'); err != nil {
			t.Error(err)
		}
		if _, err := io.WriteString(conn, `{"jsonrpc":"2.0","id":"search-mcp-bridge-1","result":{}}`+"\n"); err != nil {
			t.Error(err)
		}
		close(greeted)
		<-stop
	}()
	e.send(toolCall("0", "echo"))
	<-greeted
	for i := range 2 * queueLines {
		e.send(toolCall(string(rune('0'+i%10)), "echo"))
	}
	// On a busy machine the bridge may not have read the answer to Hello yet.
	if m := e.next(); !strings.Contains(text(m), "busy") && !strings.Contains(text(m), "Too many requests") {
		t.Errorf("got %s, want busy", text(m))
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
