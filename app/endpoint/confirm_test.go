package endpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// message returns the text of an elicitation.
func message(t *testing.T, m map[string]json.RawMessage) string {
	t.Helper()
	var p struct {
		Message string `json:"message"`
	}
	must(t, json.Unmarshal(m["params"], &p))
	return p.Message
}

func TestElicitationInTheHandshakeEra(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer any
		status string
		deeds  []string
	}{
		{"accept and confirm", accept(map[string]any{"confirm": true}), "success",
			[]string{"create_index /p/new always=false"}},
		{"a client can't choose always", accept(map[string]any{"confirm": true, "always": true}), "success",
			[]string{"create_index /p/new always=false"}},
		{"accept without content", map[string]any{"action": "accept"}, "cancelled", nil},
		{"accept of null", accept(nil), "cancelled", nil},
		{"accept of defaults", accept(map[string]any{}), "cancelled", nil},
		{"unticked", accept(map[string]any{"confirm": false}), "cancelled", nil},
		{"nonsense", accept(map[string]any{"confirm": "yes"}), "cancelled", nil},
		{"no object", map[string]any{"action": "accept", "content": []any{1}}, "cancelled", nil},
		{"decline", map[string]any{"action": "decline"}, "cancelled", nil},
		{"cancel", map[string]any{"action": "cancel"}, "cancelled", nil},
		{"unknown word", map[string]any{"action": "sure"}, "cancelled", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake()
			h := serve(t, f)
			p := h.client(t, &wire.Hello{Project: "/p/new"}, elicitation)
			id := p.request("tools/call", map[string]any{"name": "create_index"})
			q := p.asked("elicitation/create")
			for _, part := range []string{"Probe Editor wants to index new", "/p/new", "450 files", "45MB", "1m 20s",
				"Asked by: Probe Editor"} {
				if !strings.Contains(message(t, q), part) || strings.Contains(string(q["params"]), "always") {
					t.Errorf("the question offers «always» or lacks %q:\n%s", part, message(t, q))
				}
			}
			if schema := string(q["params"]); !strings.Contains(schema, `"required":["confirm"]`) ||
				strings.Contains(schema, `"default"`) {
				t.Errorf("confirm is not required, or has a default: %s", schema)
			}
			p.reply(q, test.answer)
			r := decode(t, p.answer(id))
			if r.IsError || r.field(t, "status") != test.status || !slices.Equal(f.deeds(), test.deeds) {
				t.Errorf("%s; done %v", r.Structured, f.deeds())
			}
			wantEqual(t, h.activity.List()[0].Error == wire.ActivityDeclined, test.status == "cancelled", "declined")
		})
	}
}

func TestNoUserToAsk(t *testing.T) {
	f := newFake("shop")
	p := serve(t, f).peer(t, &wire.Hello{Project: "/p/shop"})
	p.consent = api.Accept // an assistant may not send consent
	p.handshake(nil)
	for tool, want := range map[string]string{
		"create_index": "search-mcp index '/p/new one'", "reindex_project": "search-mcp reindex --project /p/shop",
		"delete_index": "search-mcp delete --project /p/shop",
	} {
		args := map[string]any{}
		if tool == "create_index" {
			args["project"] = "/p/new one"
		}
		r := p.tool(tool, args)
		if r.code() != string(api.ConfirmationRequired) || !strings.Contains(string(r.Structured), want) ||
			strings.Contains(string(r.Structured), "yes") {
			t.Errorf("%s: %s", tool, r.Structured)
		}
	}
	urls := connected(t, f, wire.Hello{Project: "/p/shop"},
		map[string]any{"elicitation": map[string]any{"url": map[string]any{}}})
	wantEqual(t, urls.tool("delete_index", nil).code(),
		string(api.ConfirmationRequired), "a client that knows no forms: code")
	fails := connected(t, f, wire.Hello{Project: "/p/shop"}, elicitation)
	for _, answer := range []map[string]any{{"error": map[string]any{"code": -32603, "message": "x"}}, {"result": "y"}} {
		id := fails.request("tools/call", map[string]any{"name": "delete_index"})
		answer["id"] = fails.asked("elicitation/create")["id"]
		fails.send(answer)
		if r := decode(t, fails.answer(id)); r.code() != string(api.ConfirmationRequired) ||
			!strings.Contains(string(r.Structured), "search-mcp delete --project /p/shop") {
			t.Errorf("a client that fails to ask: %s", r.Structured)
		}
	}
	wantEqual(t, len(f.deeds()), 0, "done without a question: deeds")
}

// TestConsentComesWithTheCall checks that the user is not asked again if our program sends consent, and that an
// assistant's consent is ignored.
func TestConsentComesWithTheCall(t *testing.T) {
	for _, test := range []struct {
		role    api.Role
		consent api.Answer
		asked   bool
	}{
		{api.RoleWindow, api.Accept, false},
		{api.RoleTerminal, api.Accept, false},
		{api.RoleTerminal, api.Always, false},
		{api.RoleWindow, "perhaps", true},
		{api.RoleWindow, api.Decline, true},
		{api.RoleWindow, "", true},
		{api.RoleAssistant, api.Accept, true},
		{"root", api.Always, true},
	} {
		f := newFake("shop")
		h := serve(t, f, Options{Desktop: func() bool { return true }})
		w := h.window(t)
		p := h.client(t, &wire.Hello{Role: test.role}, elicitation)
		id := p.request("tools/call", map[string]any{"name": "create_index", "arguments": map[string]any{"project": "/p/new"},
			"_meta": map[string]any{wire.MetaConsent: test.consent}})
		if test.asked {
			if test.role == api.RoleTerminal {
				p.reply(p.asked("elicitation/create"), map[string]any{"action": "decline"})
			} else if err := h.questions.Answer(w.event(api.EventQuestion).Question.ID, api.Decline,
				api.RoleWindow); err != nil {
				t.Fatal(err)
			}
		}
		status, deeds := "success", []string{"create_index /p/new always=" + fmt.Sprint(test.consent == api.Always)}
		if test.asked {
			status, deeds = "cancelled", nil
		}
		if r := decode(t, p.answer(id)); r.field(t, "status") != status || !slices.Equal(f.deeds(), deeds) ||
			len(h.Questions()) > 0 {
			t.Errorf("%s, %q: %s; done %v", test.role, test.consent, r.Structured, f.deeds())
		}
		for _, m := range w.kept {
			if !test.asked && strings.Contains(string(m["params"]), `"question"`) {
				t.Errorf("%s: the window was asked all the same: %s", test.role, m["params"])
			}
		}
	}
}

// TestQuestionNeedsOneScan checks that a question needs one status and one scan, a call without a question no scan, and
// an answer one status.
func TestQuestionNeedsOneScan(t *testing.T) {
	f := newFake()
	h := serve(t, f)
	p := h.client(t, &wire.Hello{Project: "/p/new"}, elicitation)
	id := p.request("tools/call", map[string]any{"name": "create_index"})
	p.reply(p.asked("elicitation/create"), accept(goAhead))
	decode(t, p.answer(id))
	wantEqual(t, f.looks.Load(), 2, "an assistant's call: load")
	wantEqual(t, f.scans.Load(), 1, "an assistant's call: load")
	w := h.peer(t, &wire.Hello{Role: api.RoleWindow})
	w.consent = api.Accept
	w.handshake(nil)
	w.tool("create_index", map[string]any{"project": "/p/other"})
	wantEqual(t, f.looks.Load(), 4, "and the window's: load")
	wantEqual(t, f.scans.Load(), 1, "and the window's: load")
}

// TestReservedNames checks that a client that uses a name of our programs is marked in lists and questions.
func TestReservedNames(t *testing.T) {
	h := serve(t, newFake("shop"))
	for name, want := range map[string]string{
		"the Search MCP window": "an assistant that calls itself “the Search MCP window”",
		"SEARCH\n mcp":          "an assistant that calls itself “SEARCH mcp”",
		"search-mcp-window":     "an assistant that calls itself “search-mcp-window”",
		" The  Terminal ":       "an assistant that calls itself “The Terminal”",
		"tray":                  "an assistant that calls itself “tray”",
		" \n\t ":                "an unnamed assistant",
		"Claude\nCode":          "Claude Code",
		"Terminal Buddy":        "Terminal Buddy",
	} {
		p := h.peer(t, &wire.Hello{Project: "/p/shop"})
		p.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": elicitation,
			"clientInfo": map[string]any{"name": "", "title": name, "version": "1"}})
		p.request("tools/call", map[string]any{"name": "delete_index"})
		if text := message(t, p.asked("elicitation/create")); !strings.HasSuffix(text, "\nAsked by: "+want) {
			t.Errorf("%q: %q", name, text)
		}
		sessions := h.Sessions()
		if got := sessions[len(sessions)-1]; got.Client != want+" 1" || got.Role != api.RoleAssistant {
			t.Errorf("%q: %+v", name, got)
		}
	}
}

func TestNoAnswerInAWindowIsACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake("shop")
		h := serve(t, f, Options{Desktop: func() bool { return true }})
		h.peer(t, &wire.Hello{Role: api.RoleWindow}).call(string(wire.MethodSubscribe), nil)
		p := h.client(t, &wire.Hello{Project: "/p/shop"}, elicitation)
		began := time.Now()
		r := p.tool("delete_index", nil)
		wantEqual(t, time.Since(began), session.AnswerTime, "time")
		wantField(t, r, "status", "cancelled")
		wantEqual(t, len(f.deeds()), 0, "deeds")
		wantField(t, r, "message", "The user did not answer within 2 minutes, so nothing was changed.")
		wantEqual(t, len(h.Questions()), 0, "questions")
	})
}

// TestBroadRootsNeedWindowOrTerminal checks that a client, which could answer for its user, is not asked about a home
// folder.
func TestBroadRootsNeedWindowOrTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake("shop")
		f.mu.Lock()
		f.register("/home/u")
		f.mu.Unlock()
		for name, o := range map[string]Options{"no desktop": {},
			"no window comes": {Desktop: func() bool { return true }, ShowWindow: noWindow}} {
			p := serve(t, f, o).client(t, &wire.Hello{}, elicitation)
			for tool, root := range map[string]string{"create_index": "/", "reindex_project": "/home/u"} {
				args := map[string]any{"project": root}
				for _, r := range []toolResult{p.tool(tool, args), p.modernTool(tool, args, elicitation, nil)} {
					if r.code() != string(api.ConfirmationRequired) || len(f.deeds()) > 0 || o.Desktop == nil &&
						!strings.Contains(string(r.Structured), "a client's answer is not accepted") {
						t.Errorf("%s, %s: %s; done %v", name, tool, r.Structured, f.deeds())
					}
				}
			}
		}
	})
}

func TestRoundTripsOfTheStatelessEra(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake("shop")
		h := serve(t, f)
		hello := &wire.Hello{Project: "/p/shop"}
		p, other := h.peer(t, hello), h.peer(t, hello)
		ask := func(tool string) toolResult {
			r := p.modernTool(tool, nil, elicitation, nil)
			if r.Type != "input_required" || r.State == "" || r.Inputs["confirm"].Method != "elicitation/create" {
				t.Fatalf("%+v", r)
			}
			return r
		}
		yes := func(state string) map[string]any {
			return map[string]any{"requestState": state,
				"inputResponses": map[string]any{"confirm": accept(map[string]any{"confirm": true})}}
		}
		first := ask("delete_index")
		wantPart(t, first.Inputs["confirm"].Params.Message, "modern-probe wants to delete the index of shop", "message")
		// An answer to no question, or from another session, tool or project, is asked again.
		for name, r := range map[string]toolResult{
			"made up":         p.modernTool("delete_index", nil, elicitation, yes("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
			"without a state": p.modernTool("delete_index", nil, elicitation, yes("")),
			"other session":   other.modernTool("delete_index", nil, elicitation, yes(first.State)),
			"other tool":      p.modernTool("reindex_project", nil, elicitation, yes(first.State)),
		} {
			wantEqual(t, r.Type, "input_required", "%s: type", name)
			wantEqual(t, len(f.deeds()), 0, "%s: deeds", name)
		}
		wantField(t, p.modernTool("delete_index", nil, elicitation, yes(first.State)), "status", "success")
		f.mu.Lock()
		f.register("/p/shop")
		f.mu.Unlock()
		wantEqual(t, p.modernTool("delete_index", nil, elicitation, yes(first.State)).Type,
			"input_required", "an answer counted twice: type")
		// An answer counts only for its project.
		second := ask("delete_index")
		wantCode(t, p.modernTool("delete_index", map[string]any{"project": "/p/other"}, elicitation, yes(second.State)),
			api.IndexNotFound)
		// A late answer does not count.
		third := ask("delete_index")
		<-time.After(session.AnswerTime + time.Second)
		wantEqual(t, p.modernTool("delete_index", nil, elicitation, yes(third.State)).field(t, "status"),
			"cancelled", "status")
		// A request that does not declare elicitation can't be asked, even if an earlier request did.
		wantCode(t, p.modernTool("delete_index", nil, nil, nil), api.ConfirmationRequired)
	})
}

func TestRequesterCannotWriteTheQuestion(t *testing.T) {
	p := serve(t, newFake("shop")).peer(t, &wire.Hello{Project: "/p/shop"})
	p.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": elicitation,
		"clientInfo": map[string]any{"name": strings.Repeat("All is well, press yes. ", 50) +
			"\u202e\x1b[2J", "version": "1"}})
	p.request("tools/call", map[string]any{"name": "delete_index"})
	if text := message(t, p.asked("elicitation/create")); len(text) > 600 || strings.ContainsAny(text, "\u202e\x1b") ||
		!strings.Contains(text, "Delete the index for this project?") {
		t.Errorf("%q", text)
	}
}

func TestTerminalConfirms(t *testing.T) {
	f := newFake("shop")
	h := serve(t, f, Options{Desktop: func() bool { return true },
		ShowWindow: func(show wire.Show) <-chan struct{} {
			t.Error("a window was opened")
			return noWindow(show)
		}})
	w := h.window(t)
	p := h.client(t, &wire.Hello{Role: api.RoleTerminal, Project: "/p/shop"}, elicitation)
	id := p.request("tools/call", map[string]any{"name": "reindex_project"})
	q := p.asked("elicitation/create")
	wantPrefix(t, message(t, q), "Rebuild the index of shop?", "message")
	p.reply(q, accept(goAhead))
	wantField(t, decode(t, p.answer(id)), "status", "success")
	// Without a terminal the user can't be asked.
	pipe := h.client(t, &wire.Hello{Role: api.RoleTerminal, Project: "/p/shop"}, nil)
	wantCode(t, pipe.tool("delete_index", nil), api.ConfirmationRequired)
	w.event(api.EventActivity)
	for _, m := range w.kept {
		if strings.Contains(string(m["params"]), `"question"`) {
			t.Errorf("the window was asked: %s", m)
		}
	}
}

// TestRequesterIsThePeerProcess checks that question, window and log name the process that the kernel reports, whatever
// PID and name the connection sends. Consent in a call is logged with that process too.
func TestRequesterIsThePeerProcess(t *testing.T) {
	var log bytes.Buffer
	h := serve(t, newFake("shop"), Options{Log: slog.New(slog.NewTextHandler(&log, nil)),
		PeerPID: func(net.Conn) int { return 4242 }, Program: func(pid int) string { return fmt.Sprintf("evil\n%d", pid) }})
	p := h.client(t, &wire.Hello{Project: "/p/shop", PID: 1}, elicitation)
	id := p.request("tools/call", map[string]any{"name": "delete_index"})
	q := p.asked("elicitation/create")
	if text := message(t, q); !strings.HasSuffix(text, "\nAsked by: Probe Editor (evil 4242, process 4242)") {
		t.Errorf("%q", text)
	}
	p.reply(q, map[string]any{"action": "decline"})
	p.answer(id)
	terminal := h.peer(t, &wire.Hello{Role: api.RoleTerminal, Project: "/p/shop", PID: 1})
	terminal.consent = api.Accept
	terminal.handshake(nil)
	terminal.tool("reindex_project", nil)
	w := h.window(t)
	p.request("tools/call", map[string]any{"name": "delete_index"})
	wantEqual(t, w.event(api.EventQuestion).Question.Process, "evil 4242, process 4242", "the window shows")
	h.stop()
	settled := 0
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "question settled") && strings.Contains(line, "answer=decline") || strings.Contains(line,
			"own request") {
			settled++
			wantPart(t, line, " pid=4242", "line")
		}
	}
	wantEqual(t, settled, 2, "%d decisions in the log:\n%s", settled, log.String())
}

// TestFoldersAreOneLine checks that a folder's name can't extend a question.
func TestFoldersAreOneLine(t *testing.T) {
	f := newFake()
	h := serve(t, f)
	w := h.window(t)
	p := h.client(t, &wire.Hello{Project: "/p/shop\nNo file is read.\u202e"}, nil)
	p.request("tools/call", map[string]any{"name": "create_index"})
	q := w.event(api.EventQuestion).Question
	if strings.ContainsAny(q.Name+q.Title, "\n\u202e") || strings.Contains(q.Text, "\nNo file") ||
		strings.Contains(q.Text, "\u202e") {
		t.Errorf("%q, %q, %q", q.Name, q.Title, q.Text)
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }
