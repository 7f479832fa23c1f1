package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"searchmcp/app/socket/client/clienttest"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/jsonrpc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == DetachFlag {
		os.Exit(detachMain())
	}
	switch os.Getenv("CLIENT_TEST_APP") {
	case "run":
		clienttest.Main(nil)
		os.Exit(0)
	case "fail":
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// detachMain imitates the app's main with DetachFlag.
func detachMain() int {
	dir, err := ipc.DataDir()
	if err != nil {
		panic(err)
	}
	exit, err := Detach(context.Background(), dir, os.Args[0], os.Args[2:]...)
	if err != nil {
		panic(err)
	}
	return exit
}

func served(t *testing.T, o Options, handle clienttest.Handler) (*Client, *clienttest.App) {
	t.Helper()
	o.DataDir = t.TempDir()
	app, err := clienttest.Start(o.DataDir, handle)
	check(t, err)
	t.Cleanup(app.Close)
	c, err := Connect(context.Background(), o)
	check(t, err)
	t.Cleanup(func() { check(t, c.Close()) })
	return c, app
}

func TestHandshake(t *testing.T) {
	want := wire.Hello{Role: api.RoleTerminal, Dir: "/d", Project: "p"}
	c, app := served(t, Options{Name: "test", Hello: want}, nil)
	m, err := app.Got(string(wire.MethodHello))
	check(t, err)
	var got wire.Hello
	check(t, m.Decode(&got))
	want.PID, want.Version = os.Getpid(), got.Version
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	m, err = app.Got("initialize")
	check(t, err)
	var init struct {
		ProtocolVersion string
		Capabilities    map[string]any
	}
	check(t, m.Decode(&init))
	if init.ProtocolVersion != "2025-11-25" || len(init.Capabilities) > 0 {
		t.Errorf("initialize %+v", init)
	}
	check(t, second(app.Got("notifications/initialized")))
	if c.Welcome().PID != os.Getpid() {
		t.Errorf("welcome %+v", c.Welcome())
	}
	if answer, err := m.Conn.Ask(context.Background(), "elicitation/create", nil); err != nil || answer.Error == nil {
		t.Errorf("an undeclared question was answered with %s, %v", answer.Result, err)
	}
}

func TestCallTool(t *testing.T) {
	c, _ := served(t, Options{}, func(_ context.Context, m *clienttest.Message) (any, error) {
		if m.Method != "tools/call" {
			return nil, nil
		}
		var p struct {
			Name string
			Meta struct {
				ProgressToken json.RawMessage `json:"progressToken"`
			} `json:"_meta"`
		}
		if err := m.Decode(&p); err != nil {
			return nil, err
		}
		switch p.Name {
		case "fail":
			return map[string]any{"isError": true, "structuredContent": api.New(api.IndexNotFound, "Not there.", "x", nil)}, nil
		case "refuse":
			return nil, api.New(api.Busy, "Busy now.", "x", nil)
		}
		for i := range 20 {
			if err := m.Conn.Notify("notifications/progress", map[string]any{"progressToken": p.Meta.ProgressToken,
				"progress": i, "total": 20}); err != nil {
				return nil, err
			}
		}
		return clienttest.Text(map[string]int{"n": 7}), nil
	})
	ctx := context.Background()
	var seen []float64
	r, err := c.CallTool(ctx, "count", nil, "", func(p ToolProgress) { seen = append(seen, p.Progress) })
	check(t, err)
	if len(seen) != 20 || !slices.IsSorted(seen) {
		t.Errorf("progress %v", seen)
	}
	var n struct{ N int }
	if err := r.Decode(&n); err != nil || n.N != 7 {
		t.Errorf("result %+v, %v", n, err)
	}
	if _, err := c.CallTool(ctx, "fail", nil, "", nil); !errors.Is(err, &api.Error{Code: api.IndexNotFound}) {
		t.Errorf("fail = %v", err)
	}
	if _, err := c.CallTool(ctx, "refuse", nil, "", nil); api.CodeOf(err) != api.Busy {
		t.Errorf("refuse = %v", err)
	}
	if err := c.Call(ctx, "nonsense", nil, nil); err == nil {
		t.Error("an unknown method succeeded")
	}
}

func TestCancel(t *testing.T) {
	cancelled := make(chan struct{})
	c, app := served(t, Options{}, func(ctx context.Context, m *clienttest.Message) (any, error) {
		if m.Method == string(wire.MethodStatus) {
			<-ctx.Done()
			close(cancelled)
			return nil, clienttest.ErrNoAnswer
		}
		return nil, nil
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
		done <- err
	}()
	check(t, second(app.Got(string(wire.MethodStatus))))
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Status = %v", err)
	}
	<-cancelled
}

func TestElicit(t *testing.T) {
	withdrawn := make(chan struct{})
	o := Options{Elicit: func(ctx context.Context, e Elicitation) (ElicitResult, error) {
		if e.Message == "wait" {
			<-ctx.Done()
			close(withdrawn)
			return ElicitResult{}, ctx.Err()
		}
		return ElicitResult{Action: ElicitAccept,
			Content: map[string]any{"confirm": e.RequestedSchema.Properties["confirm"].Type == "boolean"}}, nil
	}}
	_, app := served(t, o, nil)
	m, err := app.Got("initialize")
	check(t, err)
	form := map[string]any{"message": "sure?",
		"requestedSchema": map[string]any{"properties": map[string]any{"confirm": map[string]any{"type": "boolean"}}}}
	answer, err := m.Conn.Ask(context.Background(), "elicitation/create", form)
	if err != nil || string(answer.Result) != `{"action":"accept","content":{"confirm":true}}` {
		t.Errorf("answer %s, %v", answer.Result, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	if _, err := m.Conn.Ask(ctx, "elicitation/create", map[string]any{"message": "wait"}); !errors.Is(err,
		context.Canceled) {
		t.Fatal(err)
	}
	<-withdrawn
}

func TestEvents(t *testing.T) {
	events := make(chan api.Event, 10)
	quit := make(chan wire.Quitting, 1)
	c, app := served(t, Options{Event: func(e api.Event) { events <- e }, Quitting: func(q wire.Quitting) { quit <- q }},
		func(_ context.Context, m *clienttest.Message) (any, error) {
			if m.Method != string(wire.MethodSubscribe) {
				return nil, nil
			}
			return wire.Empty{}, m.Conn.Notify(wire.NotifyEvent, api.Event{Kind: api.EventProblem, Message: "x"})
		})
	check(t, wire.MethodSubscribe.Do(context.Background(), c, wire.Empty{}))
	if e := <-events; e.Kind != api.EventProblem || e.Message != "x" {
		t.Errorf("event %+v", e)
	}
	check(t, app.Quit(wire.Quitting{ByUser: true}))
	<-c.Done()
	if q := <-quit; !q.ByUser || !errors.Is(c.Err(), ErrClosed) {
		t.Errorf("quitting %+v, %v", q, c.Err())
	}
	if _, err := wire.MethodStatus.Call(context.Background(), c, wire.Empty{}); !errors.Is(err, ErrClosed) {
		t.Errorf("Status afterwards = %v", err)
	}
}

// TestHung checks that a call ends after ten seconds if the app does not respond, and continues if the app answers
// pings.
func TestHung(t *testing.T) {
	for _, test := range []struct {
		answers []string
		after   time.Duration
		want    error
	}{
		{nil, 10 * time.Second, ErrHung},
		{[]string{string(wire.MethodHello), "initialize"}, 10 * time.Second, ErrHung},
		{[]string{string(wire.MethodHello), "initialize", "ping"}, time.Hour, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			here, there := net.Pipe()
			go func() {
				for r := jsonrpc.NewReader(there, 1<<20); ; {
					line, err := r.ReadLine()
					if err != nil {
						return
					}
					if m, err := jsonrpc.Parse(line); err == nil && slices.Contains(test.answers, m.Method) {
						_, _ = fmt.Fprintf(there, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.ID) // the client may have left
					}
				}
			}()
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			began := time.Now()
			c, err := Open(ctx, here, Options{})
			if err == nil {
				_, err = wire.MethodStatus.Call(ctx, c, wire.Empty{})
				check(t, c.Close())
			}
			if took := time.Since(began); !errors.Is(err, test.want) || took != test.after {
				t.Errorf("%v: %v after %v", test.answers, err, took)
			}
		})
	}
}

func TestKeep(t *testing.T) {
	data := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	up, down := make(chan *Client), make(chan error, 1000)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Keep(ctx, Options{DataDir: data}, func(c *Client) { up <- c }, func(err error) { down <- err })
	}()
	if err := <-down; !errors.Is(err, ipc.ErrNotListening) {
		t.Errorf("down %v", err)
	}
	for range 2 {
		app, err := clienttest.Start(data, nil)
		check(t, err)
		c := <-up
		app.Close()
		<-c.Done()
	}
	cancel()
	<-ended
}

func launcher(what string) *Launcher {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return &Launcher{Program: self, Env: []string{"CLIENT_TEST_APP=" + what}}
}

func stopApp(t *testing.T, data string) {
	t.Helper()
	c, err := Connect(context.Background(), Options{DataDir: data})
	check(t, err)
	defer c.Close()
	err = wire.MethodQuit.Do(context.Background(), c, wire.Empty{})
	if err != nil && !errors.Is(err, ErrClosed) { // the app may end before it answers
		t.Fatal(err)
	}
	<-c.Done()
	// The app first closes its connection and last unlocks its folder. Windows can't remove an open file.
	for late := time.Now().Add(5 * time.Minute); ; {
		owner, locked, err := ipc.Locked(data)
		check(t, err)
		if !locked {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("the app was stopped five minutes ago and still has its folder: %+v", owner)
		}
	}
}

// TestLaunch checks that many concurrent starters start one app, in its own session.
func TestLaunch(t *testing.T) {
	data := t.TempDir()
	var mu sync.Mutex
	pids := map[int]bool{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c, err := Connect(context.Background(), Options{DataDir: data, Launcher: launcher("run")})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			pids[c.Welcome().PID] = true
			mu.Unlock()
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(pids) != 1 {
		t.Errorf("%d apps were started: %v", len(pids), pids)
	}
	for pid := range pids {
		// The intermediate process may end after the app has answered.
		for late := time.Now().Add(time.Minute); descends(t, pid) && time.Now().Before(late); {
		}
		if pid == os.Getpid() || !leads(pid) || descends(t, pid) {
			t.Errorf("process %d is not detached", pid)
		}
	}
	stopApp(t, data)
}

// TestHungUpAtOnce checks that Connect starts the app again if an app hangs up before the handshake.
func TestHungUpAtOnce(t *testing.T) {
	data := t.TempDir()
	address, err := ipc.Address(data)
	check(t, err)
	going, err := ipc.Listen(address)
	check(t, err)
	gone := make(chan error, 1)
	go func() {
		conn, err := going.Accept()
		if err == nil {
			err = errors.Join(going.Close(), conn.Close())
		}
		gone <- err
	}()
	c, err := Connect(context.Background(), Options{DataDir: data, Launcher: launcher("run")})
	if gerr := <-gone; err != nil || gerr != nil {
		t.Fatal(err, gerr)
	}
	if c.Welcome().PID == os.Getpid() {
		t.Error("no app was started")
	}
	check(t, c.Close())
	stopApp(t, data)
}

func TestLaunchFails(t *testing.T) {
	data := t.TempDir()
	_, err := Connect(context.Background(), Options{DataDir: data, Launcher: launcher("fail")})
	if !errors.Is(err, errEnded) || !strings.Contains(err.Error(), "exit status 3") ||
		!strings.Contains(err.Error(), launchLog(data)) {
		t.Errorf("Connect = %v", err)
	}
	if _, err := Connect(context.Background(), Options{DataDir: data, Launcher: &Launcher{}}); !errors.Is(err, ErrNoApp) {
		t.Errorf("Connect without a program = %v", err)
	}
}

// TestLaunchAfterShutdown checks that the launcher waits for an app that is ending.
func TestLaunchAfterShutdown(t *testing.T) {
	data := t.TempDir()
	old, err := ipc.Lock(data)
	check(t, err)
	done := make(chan error, 1)
	go func() {
		c, err := Connect(context.Background(), Options{DataDir: data, Launcher: launcher("run")})
		if err == nil {
			err = c.Close()
		}
		done <- err
	}()
	for { // wait until the starter has the start lock
		release, ok, err := ipc.TryStarter(data)
		check(t, err)
		if !ok {
			break
		}
		check(t, release())
	}
	check(t, old.Unlock())
	check(t, <-done)
	stopApp(t, data)
}

func TestEnvironment(t *testing.T) {
	t.Setenv("HOME", "")
	got := environment([]string{"HOME=", "CLAUDE_PROJECT_DIR=/x", "LANG=C", "SEARCH_MCP_HOME=old"}, "/data")
	if !slices.Contains(got, "SEARCH_MCP_HOME=/data") || !slices.Contains(got, "LANG=C") || slices.Contains(got,
		"SEARCH_MCP_HOME=old") || slices.Contains(got, "CLAUDE_PROJECT_DIR=/x") || !slices.ContainsFunc(got,
		func(e string) bool { return strings.HasPrefix(e, "HOME=") && filepath.IsAbs(e[len("HOME="):]) }) {
		t.Errorf("environment %v", got)
	}
}

// TestConsentGoesWithTheCall checks that a call sends the consent in _meta, next to a progress token.
func TestConsentGoesWithTheCall(t *testing.T) {
	var meta []map[string]any
	c, _ := served(t, Options{}, func(_ context.Context, m *clienttest.Message) (any, error) {
		if m.Method != "tools/call" {
			return nil, nil
		}
		var p struct {
			Meta map[string]any `json:"_meta"`
		}
		err := m.Decode(&p)
		meta = append(meta, p.Meta)
		return clienttest.Text(map[string]string{}), err
	})
	progress := func(ToolProgress) {}
	for _, call := range []func() (*ToolResult, error){
		func() (*ToolResult, error) { return c.CallTool(t.Context(), "delete_index", nil, "", nil) },
		func() (*ToolResult, error) { return c.CallTool(t.Context(), "delete_index", nil, api.Accept, nil) },
		func() (*ToolResult, error) { return c.CallTool(t.Context(), "delete_index", nil, api.Accept, progress) },
	} {
		check(t, second(call()))
	}
	if len(meta[0]) != 0 || meta[1][wire.MetaConsent] != "accept" || len(meta[1]) != 1 ||
		meta[2][wire.MetaConsent] != "accept" || meta[2]["progressToken"] == nil {
		t.Errorf("%v", meta)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }
