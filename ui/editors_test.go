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
	wantEqual(t, len(d.applied), 0, "written before the user agreed: applied")
	wantEqual(t, focused(w), "Connect for all projects", "focused")
	press(t, w, "Connect for all projects")
	wantList(t, d.applied, []string{"cursor"}, "applied")
	wantSheet(t, w, "Cursor is connected")
	press(t, w, "Done")
	wantButton(t, w, "Connect for all projects…", false)
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("note")
	press(t, w, "Show note…")
	press(t, w, "Add note")
	wantEqual(t, d.noted, true, "note written")
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("note")
	press(t, w, "Show note…")
	press(t, w, "Remove")
	wantEqual(t, d.noted, false, "note written")
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
	wantEqual(t, here(), true, "gone, though only something changed")
	w.Go(page.PageSettings, "")
	w.Pages[page.PageEditors].(*page.Editors).Draw()
	wantSheet(t, w, "")
	wantEqual(t, here(), false, "beside the settings: here")
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
	wantEqual(t, next.Visible(), false, "offered although an assistant has asked")
	f.usage = api.Usage{}
	if w.Go(page.PageProjects, ""); !next.Visible() || find(w, "Connect an editor…") != nil {
		t.Error("Connect is offered although an editor is connected")
	}
	for i := range d.editors {
		d.editors[i].State = connect.Free
	}
	w.Go(page.PageProjects, "")
	wantButton(t, w, "Connect an editor…", false)
	f.sessions = nil
	w.Go(page.PageProjects, "")
	press(t, w, "Connect an editor…")
	wantEqual(t, w.Current, page.PageEditors, "on")
}

func TestTheFirstQuestion(t *testing.T) {
	f, w := newBusy(t)
	w.Go(page.PageEditors, "")
	press(t, w, "Connect for all projects…")
	press(t, w, "Connect for all projects")
	waits := "Waiting for Cursor's first question…"
	said := func() string { return strings.Join(words(w), "\n") }
	wantPart(t, said(), waits, "said")
	press(t, w, "Copy")
	wantEqual(t, w.App.Clipboard().Content(), "Where does the program start? Use search_code.", "copied")
	f.sessions = append(f.sessions, wire.Session{Client: "cursor-vscode", Role: api.RoleAssistant, Since: now,
		Last: now.Add(-time.Hour)})
	w.Event(api.Event{Kind: api.EventActivity})
	wantPart(t, said(), waits, "a question of before is taken for the first one")
	f.sessions[len(f.sessions)-1].Last = now.Add(time.Second)
	w.Event(api.Event{Kind: api.EventActivity})
	if s := said(); strings.Contains(s, waits) || !strings.Contains(s, "Cursor has asked its first question") {
		t.Error(s)
	}
}

func TestSheetsOfEditors(t *testing.T) {
	f := busy()
	f.sessions = append(f.sessions, wire.Session{Client: "goose", Role: api.RoleAssistant})
	w, d := newTest(t, f, widget.VariantLight)
	names := "Amp, Windsurf, Gemini CLI, JetBrains (Junie)"
	for i := range 9 {
		name := fmt.Sprint("Editor ", i)
		d.editors = append(d.editors, connect.Status{ID: name, Name: name, State: connect.Missing})
		names += fmt.Sprint(", Editor ", i)
	}
	w.Go(page.PageEditors, "")
	wantEqual(t, slices.Contains(words(w), names), true, "%q are listed", names)
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("missing")
	press(t, w, "Copy")
	wantEqual(t, w.Sheet.Title, "Not found on this computer", "title")
	wantEqual(t, w.App.Clipboard().Content(), d.Snippet("amp"), "content")
	press(t, w, "Fix…")
	press(t, w, "Copy")
	wantEqual(t, w.App.Clipboard().Content(), d.Snippet("zed"), "copied")
	w.Pages[page.PageEditors].(*page.Editors).Body.Open("claude-code")
	press(t, w, "where are refresh tokens rotated")
	wantEqual(t, w.Current, page.PageSearch, "current")
	wantEqual(t, w.Pages[page.PageSearch].(*page.Search).Field.Text, "where are refresh tokens rotated", "text")
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
