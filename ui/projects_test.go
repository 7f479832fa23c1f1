package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"searchmcp/engine/api"
)

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

func TestAFolderThatReturns(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	w.details("d")
	if find(w, "Rebuild…") != nil {
		t.Fatal("a folder that is gone can be read again")
	}
	p, _ := w.model.Project("d")
	p.State, p.Problem = api.StateReady, nil
	w.Event(api.Event{Kind: api.EventProject, Project: &p})
	if find(w, "Rebuild…") == nil || w.sheet == nil || w.sheet.row < 0 {
		t.Error("the buttons stay")
	}
}

func TestThirtyProjectsByKeyboard(t *testing.T) {
	w, _ := newTest(t, many(30), VariantLight)
	p := w.pages[PageProjects].(*projects)
	c := w.win.Canvas()
	c.Unfocus()
	for i, want := range []fyne.Focusable{p.add, p.filter, p.list, w.nav[PageProjects]} {
		if c.FocusNext(); c.Focused() != want {
			t.Fatalf("stop %d is %T %s", i+1, c.Focused(), describe(c.Focused()))
		}
	}
	c.Focus(p.list)
	key(w, fyne.KeyDown)
	key(w, desktop.KeyMenu)
	menu, ok := c.Focused().(*pickList)
	if !ok || menu == p.list {
		t.Fatalf("the focus is on %T", c.Focused())
	}
	key(w, fyne.KeyEscape)
	if c.Focused() != fyne.Focusable(p.list) {
		t.Errorf("after the menu it is on %T", c.Focused())
	}
}
