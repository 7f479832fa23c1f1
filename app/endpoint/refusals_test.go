package endpoint

import (
	"runtime"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// TestRefusalsLastUntilUserActs checks that refusals count in all sessions until the user opens or raises the window or
// types a command. Opening the window for another question does not count.
func TestRefusalsLastUntilUserActs(t *testing.T) {
	h := serve(t, newFake("shop", "blog"), Options{Desktop: func() bool { return true },
		ShowWindow: func(wire.Show) <-chan struct{} { return t.Context().Done() }})
	w := h.window(t)
	p := h.client(t, &wire.Hello{Project: "/p/shop"}, nil)
	refuse := func(project string) {
		t.Helper()
		id := p.request("tools/call", map[string]any{"name": "delete_index", "arguments": map[string]any{"project": project}})
		must(t, h.questions.Answer(w.event(api.EventQuestion).Question.ID, api.Decline, api.RoleWindow))
		p.answer(id)
	}
	refused := func(when string) {
		t.Helper()
		if r := p.tool("delete_index", nil); r.code() != string(api.ConfirmationRequired) {
			t.Fatalf("%s: asked a fourth time: %s", when, r.Structured)
		}
	}
	for range 3 {
		refuse("/p/shop")
	}
	refused("the window is open")
	_ = w.conn.Close()
	for len(h.Sessions()) > 1 {
		runtime.Gosched()
	}
	id := p.request("tools/call", map[string]any{"name": "delete_index",
		"arguments": map[string]any{"project": "/p/blog"}})
	for len(h.Questions()) == 0 {
		runtime.Gosched()
	}
	w = h.window(t) // a window that opens for a question
	refused("the window came for another question")
	must(t, h.questions.Answer(h.Questions()[0].ID, api.Decline, api.RoleWindow))
	p.answer(id)
	w.result(string(wire.MethodShow), wire.Show{}, nil)
	refuse("/p/shop")
	refuse("/p/shop")
	refuse("/p/shop")
	p = h.client(t, &wire.Hello{Project: "/p/shop"}, nil)
	refused("another session")
	terminal := h.peer(t, &wire.Hello{Role: api.RoleTerminal, Project: "/p/shop"})
	terminal.consent = api.Accept
	terminal.handshake(nil)
	terminal.tool("reindex_project", nil)
	refuse("/p/shop")
}
