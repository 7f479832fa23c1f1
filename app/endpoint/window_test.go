package endpoint

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// window is a peer that shows questions.
func (h *host) window(t *testing.T) *peer {
	w := h.peer(t, &wire.Hello{Role: api.RoleWindow})
	w.result(string(wire.MethodSubscribe), nil, nil)
	return w
}

// event waits for an event of a kind.
func (p *peer) event(kind api.EventKind) api.Event {
	p.t.Helper()
	var e api.Event
	p.until(string(kind), func(m map[string]json.RawMessage) bool {
		if string(m["method"]) != `"`+wire.NotifyEvent+`"` {
			return false
		}
		e = api.Event{}
		return json.Unmarshal(m["params"], &e) == nil && e.Kind == kind
	})
	return e
}

func TestWindowAnswers(t *testing.T) {
	f := newFake("shop")
	h := serve(t, f, Options{Desktop: func() bool { return true }})
	w := h.window(t)
	p := h.peer(t, &wire.Hello{Project: "/p/shop"})
	p.handshake(elicitation) // the window takes precedence
	id := p.request("tools/call", map[string]any{"name": "delete_index"})
	q := w.event(api.EventQuestion).Question
	if q.Action != api.ActionDelete || q.Project != "/p/shop" || q.Client != "Probe Editor" ||
		q.Role != api.RoleAssistant || q.CanAlways || q.Expires.Sub(q.Asked) != session.AnswerTime ||
		!strings.HasPrefix(q.Text, "Delete the index for this project?") {
		t.Errorf("%+v", q)
	}
	answer := func(from *peer, id string, a api.Answer) string {
		_, e := from.call(string(wire.MethodAnswer), wire.AnswerQuestion{ID: id, Answer: a})
		return e
	}
	terminal := h.peer(t, &wire.Hello{Role: api.RoleTerminal})
	for name, e := range map[string]string{
		"bridge": answer(p, q.ID, api.Accept), "terminal": answer(terminal, q.ID, api.Accept),
		"unknown question": answer(w, "nonsense", api.Accept), "unknown answer": answer(w, q.ID, "perhaps"),
		"not a user's answer": answer(w, q.ID, api.TimedOut),
	} {
		if e == "" {
			t.Errorf("%s: accepted", name)
		}
	}
	if len(f.deeds()) > 0 || len(h.Questions()) != 1 {
		t.Fatalf("done %v, open %v", f.deeds(), h.Questions())
	}
	wantEqual(t, answer(w, q.ID, api.Accept), "", "answer")
	wantField(t, decode(t, p.answer(id)), "status", "success")
	if e := w.event(api.EventAnswered); e.Answer != api.Accept || e.Question.ID != q.ID {
		t.Errorf("%+v", e)
	}
	if e := answer(w, q.ID, api.Accept); e == "" {
		t.Error("answered twice")
	}
}

func TestTwoQuestionsQueueAndAreWithdrawn(t *testing.T) {
	f := newFake("shop", "blog")
	h := serve(t, f, Options{Desktop: func() bool { return true }})
	w := h.window(t)
	shop, blog := h.peer(t, &wire.Hello{Project: "/p/shop"}), h.peer(t, &wire.Hello{Project: "/p/blog"})
	shop.handshake(nil)
	blog.handshake(nil)
	first := shop.request("tools/call", map[string]any{"name": "delete_index"})
	q1 := w.event(api.EventQuestion).Question
	second := blog.request("tools/call", map[string]any{"name": "delete_index"})
	q2 := w.event(api.EventQuestion).Question
	if open := h.Questions(); len(open) != 2 || open[0].ID != q1.ID || open[1].ID != q2.ID {
		t.Fatalf("open %+v", open)
	}
	shop.send(map[string]any{"method": "notifications/cancelled",
		"params": map[string]any{"requestId": json.RawMessage(first)}})
	if e := w.event(api.EventAnswered); e.Answer != api.Withdrawn || e.Question.ID != q1.ID {
		t.Errorf("%+v", e)
	}
	must(t, h.questions.Answer(q2.ID, api.Decline, api.RoleWindow))
	wantField(t, decode(t, blog.answer(second)), "status", "cancelled")
	blog.request("tools/call", map[string]any{"name": "delete_index"})
	q3 := w.event(api.EventQuestion).Question
	_ = blog.conn.Close()
	for e := w.event(api.EventAnswered); e.Question.ID != q3.ID; e = w.event(api.EventAnswered) {
	}
	wantEqual(t, len(f.deeds()), 0, "deeds")
	wantEqual(t, len(h.Questions()), 0, "questions")
}

// noWindow is a window that ends at once.
func noWindow(wire.Show) <-chan struct{} {
	ended := make(chan struct{})
	close(ended)
	return ended
}

// TestNoWindowIsNoPermission checks that on a desktop a call is refused with the command to type if no window starts,
// stays or connects. The calling client is not asked instead. It covers both protocols.
func TestNoWindowIsNoPermission(t *testing.T) {
	refused := func(t *testing.T, f *fake, h *host, r toolResult, began time.Time, after time.Duration) {
		t.Helper()
		if r.code() != string(api.ConfirmationRequired) || len(f.deeds()) > 0 || len(h.Questions()) > 0 ||
			!strings.HasSuffix(r.field(t, "userMessage").(string), "search-mcp delete --project /p/shop") {
			t.Errorf("%s; done %v", r.Structured, f.deeds())
		}
		wantEqual(t, time.Since(began), after, "after")
	}
	for name, c := range map[string]struct {
		show  func(stop <-chan struct{}) func(wire.Show) <-chan struct{}
		after time.Duration
	}{
		"it is not started": {func(<-chan struct{}) func(wire.Show) <-chan struct{} { return noWindow }, 0},
		"it ends": {func(<-chan struct{}) func(wire.Show) <-chan struct{} {
			return func(wire.Show) <-chan struct{} {
				ended := make(chan struct{})
				time.AfterFunc(time.Second, func() { close(ended) })
				return ended
			}
		}, time.Second},
		"it hangs": {func(stop <-chan struct{}) func(wire.Show) <-chan struct{} {
			return func(wire.Show) <-chan struct{} { return stop }
		}, windowTime},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, stop := newFake("shop"), make(chan struct{})
				defer close(stop)
				h := serve(t, f, Options{Desktop: func() bool { return true }, ShowWindow: c.show(stop)})
				p := h.client(t, &wire.Hello{Project: "/p/shop"}, elicitation)
				began := time.Now()
				refused(t, f, h, p.tool("delete_index", nil), began, c.after)
				began = time.Now()
				refused(t, f, h, p.modernTool("delete_index", nil, elicitation, nil), began, c.after)
			})
		})
	}
	t.Run("it connects and ends", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, ended := newFake("shop"), make(chan struct{})
			h := serve(t, f, Options{Desktop: func() bool { return true },
				ShowWindow: func(wire.Show) <-chan struct{} { return ended }})
			p := h.client(t, &wire.Hello{Project: "/p/shop"}, elicitation)
			id := p.request("tools/call", map[string]any{"name": "delete_index"})
			early := h.peer(t, &wire.Hello{Role: api.RoleWindow}) // ends before it shows anything
			synctest.Wait()
			began := time.Now()
			close(ended)
			_ = early.conn.Close()
			refused(t, f, h, decode(t, p.answer(id)), began, 0)
			w := h.window(t)
			id = p.request("tools/call", map[string]any{"name": "delete_index"})
			w.event(api.EventQuestion)
			<-time.After(windowTime * 2) // the limit does not apply to a window that shows the question
			began = time.Now()
			_ = w.conn.Close()
			refused(t, f, h, decode(t, p.answer(id)), began, 0)
		})
	})
}

func TestWindowIsOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake("shop")
		var shown atomic.Int32
		stop := make(chan struct{})
		defer close(stop)
		h := serve(t, f, Options{Desktop: func() bool { return true },
			ShowWindow: func(wire.Show) <-chan struct{} { shown.Add(1); return stop }})
		p := h.client(t, &wire.Hello{Project: "/p/shop"}, elicitation)
		// The window connects late, but in time, and answers the question from the list.
		id := p.request("tools/call", map[string]any{"name": "delete_index"})
		<-time.After(windowTime / 2)
		w := h.window(t)
		raw, _ := w.call(string(wire.MethodStatus), nil)
		var status wire.Status
		if err := json.Unmarshal(raw, &status); err != nil || len(status.Open) != 1 {
			t.Fatalf("%s", raw)
		}
		<-time.After(windowTime)
		w.call(string(wire.MethodAnswer), wire.AnswerQuestion{ID: status.Open[0].ID, Answer: api.Accept})
		wantField(t, decode(t, p.answer(id)), "status", "success")
		// The existing window is raised, and no second one is started.
		if _, e := w.call(string(wire.MethodShow), wire.Show{Page: "activity"}); e != "" || shown.Load() != 1 {
			t.Errorf("%s, shown %d", e, shown.Load())
		}
		wantPart(t, string(w.asked(wire.NotifyShow)["params"]), "activity", "asked")
	})
}

func TestQuestionsBlockNoOtherCall(t *testing.T) {
	f := newFake("shop")
	h := serve(t, f, Options{Desktop: func() bool { return true }})
	w := h.window(t)
	p := h.client(t, &wire.Hello{Project: "/p/shop"}, nil)
	for range maxWorkers * 2 {
		p.request("tools/call", map[string]any{"name": "delete_index"})
		w.event(api.EventQuestion)
	}
	wantSuccess(t, p.tool("search_code", map[string]any{"query": "x"}))
	// One answer settles the session's identical questions.
	if err := h.questions.Answer(h.Questions()[3].ID, api.Decline, api.RoleWindow); err != nil || len(h.Questions()) != 0 {
		t.Errorf("%v, open %d", err, len(h.Questions()))
	}
}
