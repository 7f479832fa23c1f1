package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func TestConnectingAnEditor(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.Go(PageEditors, "")
	press(t, w, "Connect in every project…")
	if len(d.applied) != 0 {
		t.Fatal("written before the person agreed")
	}
	if got := focused(w); got != "Connect in every project" {
		t.Errorf("%q has the keyboard", got)
	}
	press(t, w, "Connect in every project")
	if !slices.Equal(d.applied, []string{"cursor"}) || w.sheet == nil || w.sheet.title != "Cursor is connected" {
		t.Errorf("applied %q, sheet %+v", d.applied, w.sheet)
	}
	press(t, w, "Done")
	if find(w, "Connect in every project…") != nil {
		t.Error("Cursor can be connected twice")
	}
	w.pages[PageEditors].(*editors).body.open("note")
	press(t, w, "Show paragraph…")
	press(t, w, "Add paragraph")
	if !d.noted {
		t.Error("the paragraph was not written")
	}
	w.pages[PageEditors].(*editors).body.open("note")
	press(t, w, "Show paragraph…")
	press(t, w, "Remove")
	if d.noted {
		t.Error("the paragraph is still there")
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 1280, 780)
	w.Go(PageEditors, "")
	if w.sheet == nil || w.sheet.from != w.pages[PageEditors].(*editors).body.list {
		t.Fatalf("sheet %+v", w.sheet)
	}
	here := w.here()
	w.pages[PageEditors].(*editors).draw() // replaces the sheet of the row
	if !here() {
		t.Error("gone, though only something changed")
	}
	w.Go(PageSettings, "")
	w.pages[PageEditors].(*editors).draw()
	if w.sheet != nil || here() {
		t.Errorf("beside the settings: %+v, %v", w.sheet, here())
	}
	p, _ := w.model.Project("a")
	before := w.backend
	w.backend = leaving{before, w}
	w.Go(PageProjects, "")
	if w.configure(p); w.current != PageActivity || w.sheet != nil && w.sheet.title == "Settings of engine" {
		t.Errorf("on %s: %+v", w.current, w.sheet)
	}
}

type leaving struct {
	Backend
	w *Window
}

func (l leaving) Call(ctx context.Context, method string, params, result any) error {
	if method == string(wire.MethodConfigGet) {
		l.w.Go(PageActivity, "")
	}
	return l.Backend.Call(ctx, method, params, result)
}

func TestStepsToAFirstAnswer(t *testing.T) {
	f := many(1)
	w, d := newTest(t, f, widget.VariantLight)
	next := w.pages[PageProjects].(*projects).next
	if next.Visible() {
		t.Fatal("offered although an assistant has asked")
	}
	f.usage = api.Usage{}
	if w.Go(PageProjects, ""); !next.Visible() || find(w, "Connect an editor…") != nil {
		t.Error("with an editor connected, asking is left")
	}
	for i := range d.editors {
		d.editors[i].State = connect.Free
	}
	if w.Go(PageProjects, ""); find(w, "Connect an editor…") != nil {
		t.Error("offered although one is connected by settings of its own")
	}
	f.sessions = nil
	w.Go(PageProjects, "")
	press(t, w, "Connect an editor…")
	if w.current != PageEditors {
		t.Errorf("on %s", w.current)
	}
}

func TestTheFirstQuestion(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, widget.VariantLight)
	w.Go(PageEditors, "")
	press(t, w, "Connect in every project…")
	press(t, w, "Connect in every project")
	waits := "Waiting for Cursor's first question…"
	said := func() string { return strings.Join(words(w), "\n") }
	if !strings.Contains(said(), waits) {
		t.Fatal(said())
	}
	press(t, w, "Copy")
	if got := w.app.Clipboard().Content(); got != "Where does the program start? Use search_code." {
		t.Errorf("copied %q", got)
	}
	f.sessions = append(f.sessions, wire.Session{Client: "cursor-vscode", Role: wire.RoleBridge, Since: now,
		Last: now.Add(-time.Hour)})
	w.Event(api.Event{Kind: api.EventActivity})
	if !strings.Contains(said(), waits) {
		t.Error("a question of before is taken for the first one")
	}
	f.sessions[len(f.sessions)-1].Last = now.Add(time.Second)
	w.Event(api.Event{Kind: api.EventActivity})
	if s := said(); strings.Contains(s, waits) || !strings.Contains(s, "Cursor has asked its first question") {
		t.Error(s)
	}
}

func TestEachEditorsOwnSnippet(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Go(PageEditors, "")
	press(t, w, "Fix…")
	press(t, w, "Copy")
	if got := w.app.Clipboard().Content(); got != "what belongs into the settings of zed" {
		t.Errorf("copied %q", got)
	}
}

func TestWhatAnEditorAsked(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Go(PageEditors, "")
	w.pages[PageEditors].(*editors).body.open("claude-code")
	press(t, w, "where are refresh tokens rotated")
	if s := w.pages[PageSearch].(*search); w.current != PageSearch || s.field.Text != "where are refresh tokens rotated" {
		t.Errorf("on %s, %q", w.current, s.field.Text)
	}
}

func TestAnEditorThatWasNotFound(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	names := "Goose, Amp, Windsurf, Gemini CLI, JetBrains (Junie)"
	for i := range 9 {
		name := fmt.Sprint("Editor ", i)
		d.editors = append(d.editors, connect.Status{ID: name, Name: name, State: connect.Missing})
		names += fmt.Sprint(", Editor ", i)
	}
	w.Go(PageEditors, "")
	if !slices.Contains(words(w), names) {
		t.Errorf("%q are not listed: %q", names, words(w))
	}
	w.pages[PageEditors].(*editors).body.open("missing")
	press(t, w, "Copy")
	if got := w.app.Clipboard().Content(); w.sheet.title != "Not found on this computer" || got != d.Snippet("goose") {
		t.Errorf("beside %s copied %q", w.sheet.title, got)
	}
}

func TestOneEditorIsOneRow(t *testing.T) {
	old, last := time.Unix(1000, 0), time.Unix(2000, 0)
	w, _ := newTest(t, nil, widget.VariantLight)
	e := &editors{w: w, sessions: []wire.Session{{Client: "x", Project: "/a", Last: old},
		{Client: "x", Project: "/b"},
		{Client: "x", Project: "/a", Last: last}, {Client: "y", Project: "/a"}, {Client: "cursor-vscode 3.2"}},
		known: []connect.Status{{ID: "cursor", Name: "Cursor", State: connect.Free}}}
	got := e.strangers()
	if len(got) != 2 || !got[0].Last.Equal(last) || got[1].Client != "y" ||
		e.standing(e.known[0]).mark != present.MarkBusy {
		t.Errorf("%+v", got)
	}
}
