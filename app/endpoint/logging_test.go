package endpoint

import (
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// TestLogMessages checks that sessions receive log messages about their own project only, from their level on.
func TestLogMessages(t *testing.T) {
	f := newFake("a", "b")
	h := serve(t, f)
	h.wait.Go(func() { h.followLog(h.ctx, f) })
	for deadline := time.Now().Add(2 * time.Minute); ; runtime.Gosched() { // until it has subscribed
		f.mu.Lock()
		listening := len(f.subs) > 0
		f.mu.Unlock()
		if listening || time.Now().After(deadline) {
			break
		}
	}
	in := func(state api.State, problem *api.Error) {
		p := f.Projects()[0]
		p.State, p.Problem = state, problem
		f.Publish(api.Event{Kind: api.EventProject, Project: &p})
	}
	session := func(root string) *peer {
		p := h.client(t, &wire.Hello{Project: root}, nil)
		p.tool("get_index_status", nil)
		return p
	}
	a, b := session("/p/a"), session("/p/b")
	expect := func(p *peer, level, text string) {
		t.Helper()
		var m struct{ Level, Logger, Data string }
		must(t, json.Unmarshal(p.asked("notifications/message")["params"], &m))
		if m.Level != level || m.Logger != logger || m.Data != text {
			t.Errorf("%+v, want %s: %s", m, level, text)
		}
	}
	in(api.StateIndexing, nil) // no news
	in(api.StateReady, nil)    // below the default level
	in(api.StateError, &api.Error{UserMessage: "The disk is full.\x1b[2J"})
	expect(a, "error", `a can't be searched. The disk is full.\x1b[2J`)
	a.result("logging/setLevel", map[string]any{"level": "info"}, nil)
	in(api.StateIndexing, nil)
	in(api.StateEmbedding, nil)
	expect(a, "info", "a can be searched by words; search by meaning follows.")
	in(api.StateReady, nil)
	in(api.StateReady, nil) // unchanged
	expect(a, "info", "The index of a is complete: 450 files.")
	in(api.StateDegraded, &api.Error{UserMessage: "The model is missing."})
	expect(a, "warning", "a: Searchable by words only. The model is missing.")
	in(api.StateOffline, nil)
	expect(a, "warning", "a: Folder not found.")
	a.result("logging/setLevel", map[string]any{"level": "emergency"}, nil)
	f.Publish(api.Event{Kind: api.EventProblem, Message: "The disk is nearly full."})
	expect(b, "warning", "The disk is nearly full.") // the first one that it receives
	a.result("ping", nil, nil)
	for _, m := range a.kept {
		if string(m["method"]) == `"notifications/message"` {
			t.Errorf("a message below its level: %s", m["params"])
		}
	}
}
