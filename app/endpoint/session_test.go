package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestIdsComeBackAsTheyWere(t *testing.T) {
	p := serve(t, newFake()).peer(t, nil)
	for _, id := range []string{"0", "-7", "12345678901234567890", "1.0", "1e3", `"x\u00e9"`, `""`} {
		p.raw(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		wantEqual(t, string(p.answer(id)["result"]), "{}", "id %s: answer", id)
	}
	for _, id := range []string{"true", "{}", "[1]"} {
		p.raw(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		wantPart(t, string(p.answer("null")["error"]), "-32600", "id %s: answer", id)
	}
}

// blocking makes searches wait until the request is cancelled or the returned function is called.
func blocking(f *fake) (started chan string, free func()) {
	started, release := make(chan string, 1000), make(chan struct{})
	f.search = func(ctx context.Context, _ []string, q api.Query) (api.Results, error) {
		if !strings.HasPrefix(q.Text, "slow") {
			return api.Results{}, nil
		}
		started <- q.Text
		select {
		case <-ctx.Done():
			return api.Results{}, ctx.Err()
		case <-release:
			return api.Results{}, nil
		}
	}
	return started, func() { close(release) }
}

func TestCancellationInAnyOrder(t *testing.T) {
	f := newFake("a")
	started, free := blocking(f)
	h := serve(t, f)
	p := h.client(t, &wire.Hello{Project: "/p/a"}, nil)
	call := func(id, query string) string {
		return `{"jsonrpc":"2.0","id":` + id +
			`,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"` + query + `"}}}`
	}
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	// Cancel right after the request in one write, before it, twice, and with an unknown id.
	for i := range 50 {
		id := fmt.Sprint(1000 + i)
		p.raw(cancel(`"never"`) + "\n" + cancel(id) + "\n" + call(id, "slow") + "\n" + cancel(id) + "\n" + cancel(id))
	}
	running := func(id, query string) {
		p.raw(call(id, query))
		for <-started != query {
		}
	}
	running("7", "slow seven")
	p.raw(cancel("7"))
	// Other requests of the session continue.
	running("8", "slow eight")
	p.raw(cancel("9"))
	free()
	p.answer("8")
	p.raw(call("99", "quick"))
	p.answer("99")
	for _, m := range p.kept {
		t.Errorf("a cancelled request was answered: %s", m)
	}
	for _, a := range h.activity.List() {
		if a.Error != "" && a.Error != wire.ActivityCancelled {
			t.Errorf("the activity records %q for a call that its client cancelled", a.Error)
		}
	}
}

func TestBusyAndDuplicateIds(t *testing.T) {
	f := newFake("a")
	started, free := blocking(f)
	p := connected(t, f, wire.Hello{Project: "/p/a"}, nil)
	params := map[string]any{"name": "search_code", "arguments": map[string]any{"query": "slow"}}
	var ids []string
	for range maxInFlight {
		ids = append(ids, p.request("tools/call", params))
	}
	for range maxWorkers {
		<-started
	}
	over := p.request("tools/call", params)
	wantPart(t, string(p.answer(over)["error"]), "too many requests", "answer")
	p.raw(`{"jsonrpc":"2.0","id":` + ids[0] + `,"method":"tools/list"}`)
	wantPart(t, string(p.answer(ids[0])["error"]), "in flight", "answer")
	select {
	case <-started:
		t.Error("more searches at once than workers")
	default:
	}
	free()
	for _, id := range ids {
		p.answer(id)
	}
}

func TestHostileClients(t *testing.T) {
	h := serve(t, newFake("a"))
	good := h.client(t, &wire.Hello{Project: "/p/a"}, nil)
	const flood = "flood that reads nothing"
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_code","arguments":` + arguments + "}}\n"
	}
	attacks := map[string]string{
		"garbage":        "\x00\xff garbage\n{{{\n[]\n\"\"\n12\nnull\n{}\n",
		"half a message": `{"jsonrpc":"2.0","id":1,"meth`,
		"10 MB line": `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("a", 10<<20) +
			`"}}` + "\n",
		"deep JSON":      call(strings.Repeat(`{"a":`, 50000) + "1" + strings.Repeat("}", 50000)),
		"deep but legal": call(`{"query":` + strings.Repeat(`[`, 5000) + strings.Repeat("]", 5000) + "}"),
		"wrong types": `{"jsonrpc":2,"id":1,"method":"ping"}
{"jsonrpc":"2.0","id":1,"method":7}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"x"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{}}}
{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}
{"jsonrpc":"2.0","id":"srv-1","result":{}}
{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":3}
{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":5}}
{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":9}}
{"jsonrpc":"2.0","id":4,"method":"search-mcp/hello","params":"x"}
{"jsonrpc":"2.0","method":"search-mcp/quit"}
{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"x"},"_meta":7}}
`,
		"no line end":        strings.Repeat("a", 12<<20),
		"answers to nothing": strings.Repeat(`{"jsonrpc":"2.0","id":"srv-1","result":{"action":"accept"}}`+"\n", 10_000),
		flood:                strings.Repeat("{\n", 200_000),
	}
	var wait sync.WaitGroup
	for name, attack := range attacks {
		conn := h.dial()
		if name == flood {
			must(t, conn.SetDeadline(time.Now().Add(time.Second)))
		} else {
			wait.Go(func() { drainAll(conn) })
		}
		wait.Go(func() {
			defer conn.Close()
			if strings.HasSuffix(attack, "\n") { // the session is still served after the attack
				attack += `{"jsonrpc":"2.0","id":"after","method":"ping"}` + "\n"
			}
			if _, err := conn.Write([]byte(attack)); err != nil && name != flood {
				t.Errorf("%s: the session was ended: %v", name, err)
			}
		})
	}
	for range 200 {
		if r := good.tool("search_code", map[string]any{"query": "x"}); r.IsError {
			t.Fatalf("%s", r.Structured)
		}
	}
	wait.Wait()
	wantSuccess(t, good.tool("search_code", map[string]any{"query": "x"}))
	wantEqual(t, h.isQuitting(), false, "a notification made the app quit")
}

func drainAll(c net.Conn) {
	b := make([]byte, 1<<16)
	for {
		if _, err := c.Read(b); err != nil {
			return
		}
	}
}

func TestAnswersToGarbage(t *testing.T) {
	p := serve(t, newFake()).peer(t, nil)
	for line, want := range map[string]string{
		`{nonsense`:                    "-32700",
		`[{"jsonrpc":"2.0"}]`:          "Batches are not supported",
		`{"jsonrpc":"2.0","id":null}`:  "needs a method",
		strings.Repeat("x", maxLine+5): "longer than 8 MB",
	} {
		p.raw(line)
		wantPart(t, string(p.answer("null")["error"]), want, "answer")
	}
}

// TestNoVersionWithBatches checks that 2025-03-26, the only version that requires batches, is not offered. A client
// that requests it gets 2024-11-05, which every client of that time supports.
func TestNoVersionWithBatches(t *testing.T) {
	h := serve(t, newFake())
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2024-11-05", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"1999-01-01": "2025-11-25",
	} {
		got, e := h.peer(t, &wire.Hello{}).call("initialize", map[string]any{"protocolVersion": asked,
			"capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "probe", "version": "1"}})
		wantEqual(t, e, "", "%s: e", asked)
		wantPart(t, string(got), `"protocolVersion":"`+want+`"`, "%s: result", asked)
	}
	got, e := h.peer(t, nil).call("server/discover", map[string]any{"_meta": modern(nil)})
	if e != "" || strings.Contains(string(got), "2025-03-26") || !strings.Contains(string(got), "2025-06-18") {
		t.Errorf("%s %s", e, got)
	}
}

func TestStuckEditorIsDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake("a")
		f.search = func(context.Context, []string, api.Query) (api.Results, error) {
			return api.Results{Hits: []api.Hit{{Text: strings.Repeat("x", 30000)}}}, nil
		}
		h := serve(t, f)
		conn := h.dial()
		began := time.Now()
		line := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"x","project":"a"}}}` + "\n"
		for i := range 20 {
			must(t, second(fmt.Fprintf(conn, line, i)))
		}
		for len(h.Sessions()) > 0 {
			<-time.After(time.Second)
		}
		if waited := time.Since(began); waited > writeTimeout+2*time.Second {
			t.Errorf("a client that reads nothing was kept for %s", waited)
		}
	})
}

func TestScriptThatClosesEarlyGetsItsAnswer(t *testing.T) {
	_, dial, stop := listen(t, newFake("a"))
	c := dial()
	must(t, second(c.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_projects"}}`+
		"\n"))))
	must(t, c.(*net.UnixConn).CloseWrite())
	b := make([]byte, 1<<16)
	n, err := c.Read(b)
	if err != nil || !strings.Contains(string(b[:n]), `"totalProjects":1`) {
		t.Errorf("%s %v", b[:n], err)
	}
	stop()
}

func TestListeningBeforeTheEngineIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, nil)
		p := h.peer(t, &wire.Hello{Project: "/p/a"})
		began := time.Now()
		p.handshake(nil)
		if time.Since(began) > 0 {
			t.Errorf("initialize waited %s", time.Since(began))
		}
		wantEqual(t, len(list(t, p)), always, "list")
		wantEqual(t, time.Since(began), listWait, "time")
		began = time.Now()
		wantEqual(t, p.tool("search_code", map[string]any{"query": "x"}).code(), string(api.Busy), "code")
		wantEqual(t, time.Since(began), startWait, "time")
		id := p.request("tools/call", map[string]any{"name": "search_code", "arguments": map[string]any{"query": "x"}})
		f := newFake("a")
		c := api.DefaultConfig()
		c.EnhancedToolDescriptions = true
		f.config["/p/a"] = c
		h.Attach(f)
		wantSuccess(t, decode(t, p.answer(id)))
		p.asked("notifications/tools/list_changed")
	})
}

func TestQuit(t *testing.T) {
	h := serve(t, newFake("a"))
	bridge, foreign := h.peer(t, &wire.Hello{Project: "/p/a"}), h.peer(t, nil)
	foreign.handshake(nil)
	h.Quit(true)
	wantEqual(t, string(bridge.asked(wire.NotifyQuit)["params"]), `{"byPerson":true}`, "asked")
	wantPart(t, string(bridge.answer(bridge.request("tools/call", map[string]any{"name": "list_projects"}))["error"]),
		string(api.ShuttingDown), "answer")
	foreign.answer(foreign.request("ping", nil))
	for _, m := range foreign.kept {
		t.Errorf("a foreign client got %s", m)
	}
	h.Quit(false) // no second notification
}

func TestQuitFromTheTerminal(t *testing.T) {
	asked := make(chan struct{})
	h := serve(t, newFake(), Options{QuitRequested: func() { close(asked) }})
	p := h.peer(t, &wire.Hello{Role: api.RoleTerminal})
	p.result(string(wire.MethodQuit), nil, nil)
	p.asked(wire.NotifyQuit)
	<-asked
}

func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"x","top_k":"ten"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`,
		`{"id":{},"method":""}`, `[]`,
		`{"jsonrpc":"2.0","id":"a","method":"search-mcp/status"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_index","_meta":{"progressToken":{}}}}`} {
		f.Add([]byte(seed))
	}
	server := newServer(newFake("a"), Options{})
	f.Fuzz(func(t *testing.T, message []byte) {
		if strings.Contains(string(message), "subscriptions/listen") || strings.Contains(string(message), "the-last") {
			t.Skip("stays open by design, or takes the end for its own")
		}
		here, there := net.Pipe()
		done := make(chan error, 1)
		go func() { done <- server.ServeConn(t.Context(), there) }()
		var out []byte
		read := make(chan struct{})
		go func() {
			defer close(read)
			b := make([]byte, 1<<16)
			for {
				n, err := here.Read(b)
				if err != nil {
					return
				}
				out = append(out, b[:n]...)
				if strings.Contains(string(out), `"id":"the-last-one"`) {
					return
				}
			}
		}()
		must(t, second(here.Write(append(message, "\n"+`{"jsonrpc":"2.0","id":"the-last-one","method":"ping"}`+
			"\n"...))))
		<-read
		_ = here.Close()
		if err := <-done; err != nil {
			t.Fatalf("%q ended the session: %v", message, err)
		}
		for line := range strings.Lines(string(out)) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%q was answered with %q", message, line)
			}
		}
	})
}
