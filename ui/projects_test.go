package ui

import (
	"testing"
	"time"

	"searchmcp/engine/api"
)

// TestAnIgnoredQuestionLeavesARow: for an hour, with the way to index the folder, until that is done.
func TestAnIgnoredQuestionLeavesARow(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	at := now
	w.now = func() time.Time { return at }
	q := question("q", api.ActionCreate, "/home/ada/code/redis", "redis", "codex-mcp-client")
	ask(w, q)
	w.Event(api.Event{Kind: api.EventAnswered, Question: &q, Answer: api.TimedOut})
	p := w.pages[PageProjects].(*projects)
	if len(p.rows) == 0 || p.rows[0].Name != "redis" || p.rows[0].Line != "Codex asked to index it · just now" {
		t.Fatalf("%+v", p.rows[:1])
	}
	r := newProjectRow(w)
	r.set(p.rows[0], false)
	if r.action.OnTapped(); w.sheet == nil || find(w, "Index folder") == nil {
		t.Error("its button does not lead to the preview")
	}
	if at = at.Add(ignoredTime + time.Minute); len(w.unanswered()) != 0 {
		t.Error("it is still there after an hour")
	}
}
