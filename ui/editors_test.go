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
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func TestConnectingAnEditor(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.Go(page.PageEditors, "")
	press(t, w, "Connect for all projects…")
	if len(d.applied) != 0 {
		t.Fatal("written before the user agreed")
	}
	if got := focused(w); got != "Connect for all projects" {
		t.Errorf("%q has the keyboard", got)
	}
	press(t, w, "Connect for all projects")
	if !slices.Equal(d.applied, []string{"cursor"}) || w.Sheet == nil || w.Sheet.Title != "Cursor is connected" {
		t.Errorf("applied %q, sheet %+v", d.applied, w.Sheet)
	}
	press(t, w, "Done")
	if find(w, "Connect for all projects…") != nil {
		t.Error("Cursor can be connected twice")
	}
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("note")
	press(t, w, "Show note…")
	press(t, w, "Add note")
	if !d.noted {
		t.Error("the paragraph was not written")
	}
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("note")
	press(t, w, "Show note…")
	press(t, w, "Remove")
	if d.noted {
		t.Error("the paragraph is still there")
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 1280, 780)
	w.Go(page.PageEditors, "")
	if w.Sheet == nil || w.Sheet.From != w.Pages[page.PageEditors].(*page.Editors).Body.List {
		t.Fatalf("sheet %+v", w.Sheet)
	}
	here := w.Here()
	w.Pages[page.PageEditors].(*page.Editors).Draw() // replaces the sheet of the row
	if !here() {
		t.Error("gone, though only something changed")
	}
	w.Go(page.PageSettings, "")
	w.Pages[page.PageEditors].(*page.Editors).Draw()
	if w.Sheet != nil || here() {
		t.Errorf("beside the settings: %+v, %v", w.Sheet, here())
	}
	p, _ := w.Model.Project("a")
	before := w.Backend
	w.Backend = leaving{before, w}
	w.Go(page.PageProjects, "")
	if w.Configure(p); w.Current != page.PageActivity || w.Sheet != nil && w.Sheet.Title == "Settings of engine" {
		t.Errorf("on %s: %+v", w.Current, w.Sheet)
	}
}

type leaving struct {
	page.Backend
	w *Window
}

func (l leaving) Call(ctx context.Context, method string, params, result any) error {
	if method == string(wire.MethodConfigGet) {
		l.w.Go(page.PageActivity, "")
	}
	return l.Backend.Call(ctx, method, params, result)
}

func TestStepsToAFirstAnswer(t *testing.T) {
	f := many(1)
	w, d := newTest(t, f, widget.VariantLight)
	next := w.Pages[page.PageProjects].(*page.Projects).Next
	if next.Visible() {
		t.Fatal("offered although an assistant has asked")
	}
	f.usage = api.Usage{}
	if w.Go(page.PageProjects, ""); !next.Visible() || find(w, "Connect an editor…") != nil {
		t.Error("Connect is offered although an editor is connected")
	}
	for i := range d.editors {
		d.editors[i].State = connect.Free
	}
	if w.Go(page.PageProjects, ""); find(w, "Connect an editor…") != nil {
		t.Error("Connect is offered although an editor has its own settings")
	}
	f.sessions = nil
	w.Go(page.PageProjects, "")
	press(t, w, "Connect an editor…")
	if w.Current != page.PageEditors {
		t.Errorf("on %s", w.Current)
	}
}

func TestTheFirstQuestion(t *testing.T) {
	f, w := newBusy(t)
	w.Go(page.PageEditors, "")
	press(t, w, "Connect for all projects…")
	press(t, w, "Connect for all projects")
	waits := "Waiting for Cursor's first question…"
	said := func() string { return strings.Join(words(w), "\n") }
	if !strings.Contains(said(), waits) {
		t.Fatal(said())
	}
	press(t, w, "Copy")
	if got := w.App.Clipboard().Content(); got != "Where does the program start? Use search_code." {
		t.Errorf("copied %q", got)
	}
	f.sessions = append(f.sessions, wire.Session{Client: "cursor-vscode", Role: api.RoleAssistant, Since: now,
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

func TestSheetsOfEditors(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	names := "Goose, Amp, Windsurf, Gemini CLI, JetBrains (Junie)"
	for i := range 9 {
		name := fmt.Sprint("Editor ", i)
		d.editors = append(d.editors, connect.Status{ID: name, Name: name, State: connect.Missing})
		names += fmt.Sprint(", Editor ", i)
	}
	w.Go(page.PageEditors, "")
	if !slices.Contains(words(w), names) {
		t.Errorf("%q are not listed: %q", names, words(w))
	}
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("missing")
	press(t, w, "Copy")
	if got := w.App.Clipboard().Content(); w.Sheet.Title != "Not found on this computer" || got != d.Snippet("goose") {
		t.Errorf("beside %s copied %q", w.Sheet.Title, got)
	}
	press(t, w, "Fix…")
	press(t, w, "Copy")
	if got := w.App.Clipboard().Content(); got != d.Snippet("zed") {
		t.Errorf("copied %q", got)
	}
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("claude-code")
	press(t, w, "where are refresh tokens rotated")
	if s := w.Pages[page.PageSearch].(*page.Search); w.Current != page.PageSearch ||
		s.Field.Text != "where are refresh tokens rotated" {
		t.Errorf("on %s, %q", w.Current, s.Field.Text)
	}
}

func TestOneEditorIsOneRow(t *testing.T) {
	old, last := time.Unix(1000, 0), time.Unix(2000, 0)
	w, _ := newTest(t, nil, widget.VariantLight)
	e := &page.Editors{W: w.Window, Sessions: []wire.Session{{Client: "x", Project: "/a", Last: old},
		{Client: "x", Project: "/b"},
		{Client: "x", Project: "/a", Last: last}, {Client: "y", Project: "/a"}, {Client: "cursor-vscode 3.2"}},
		Known: []connect.Status{{ID: "cursor", Name: "Cursor", State: connect.Free}}}
	got := e.Strangers()
	if len(got) != 2 || !got[0].Last.Equal(last) || got[1].Client != "y" ||
		e.State(e.Known[0]).Mark != present.MarkBusy {
		t.Errorf("%+v", got)
	}
}
