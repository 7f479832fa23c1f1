package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// newTest makes a window connected to f. All work runs on the test's goroutine.
func newTest(t *testing.T, f *fake, v Variant) (*Window, *desk) {
	t.Helper()
	return newTestIn(t, f, v, translations.English)
}

// newTestIn is newTest in a language.
func newTestIn(t *testing.T, f *fake, v Variant, l translations.Language) (*Window, *desk) {
	t.Helper()
	a := test.NewTempApp(t)
	a.Preferences().SetString(prefTheme, string(v))
	a.Preferences().SetBool(prefClosed, true)
	d := &desk{
		recent: []Recent{{"/home/ada/code/shop", "VS Code"},
			{"/home/ada/clients/a-company-with-a-rather-long-name/2026/repositories/portal", "Claude Code"}},
		editors: []Editor{
			{ID: "claude-code", Name: "Claude Code", State: EditorConnected, File: "/home/ada/.claude.json"},
			{ID: "cursor", Name: "Cursor", State: EditorFree, File: "/home/ada/.cursor/mcp.json"},
			{ID: "vscode", Name: "VS Code", State: EditorOutdated, File: "/home/ada/.config/Code/User/mcp.json",
				Command: "/home/ada/Downloads/search-mcp/search-mcp"},
			{ID: "zed", Name: "Zed", State: EditorBlocked, File: "/home/ada/.config/zed/settings.json",
				Problem: "The configuration can't be read (line 12, column 3: invalid character '}'), so it was " +
					"left unchanged. Please correct it first."},
			{ID: "goose", Name: "Goose", State: EditorMissing}, {ID: "amp", Name: "Amp", State: EditorMissing},
			{ID: "windsurf", Name: "Windsurf", State: EditorMissing}, {ID: "gemini", Name: "Gemini CLI", State: EditorMissing},
			{ID: "jetbrains", Name: "JetBrains (Junie)", State: EditorMissing},
		},
	}
	w := New(Options{App: a, Desktop: d, Version: "1.0.0", Now: func() time.Time { return now }, Language: l,
		Home: "/home/ada", Inline: true})
	t.Cleanup(w.Close)
	w.Show()
	size(w, 900, 600)
	if f != nil {
		w.Connected(f)
	}
	return w, d
}

func size(w *Window, width, height float32) { w.Win().Resize(fyne.NewSize(width, height)) }

// onScreen returns the objects of the window without hidden pages.
func onScreen(w *Window) []fyne.CanvasObject {
	hidden := map[fyne.CanvasObject]bool{}
	for _, p := range w.body.Objects {
		if !p.Visible() {
			for _, o := range test.LaidOutObjects(p) {
				hidden[o] = true
			}
		}
	}
	return slices.DeleteFunc(test.LaidOutObjects(w.Win().Content()), func(o fyne.CanvasObject) bool { return hidden[o] })
}

// find returns the visible button with a text, in the topmost overlay if there is one.
func find(w *Window, label present.Text) *button {
	objects := onScreen(w)
	if top := w.Win().Canvas().Overlays().Top(); top != nil {
		objects = test.LaidOutObjects(top)
	}
	for _, o := range slices.Backward(objects) {
		if b, ok := o.(*button); ok && b.Text == tr(label) && b.Visible() {
			return b
		}
	}
	return nil
}

// read advances the clock past deadTime.
func read(w *Window) {
	if w.asking.popup != nil {
		at := w.now().Add(deadTime)
		w.now = func() time.Time { return at }
	}
}

func press(t *testing.T, w *Window, label present.Text) {
	t.Helper()
	read(w)
	b := find(w, label)
	if b == nil {
		t.Fatalf("no button %q", label)
	}
	test.Tap(b)
}

func (f *fake) has(what string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Contains(f.did, what)
}

// TestQuestionBeforeTheList checks that the first of several confirmations is shown first while the window connects.
func TestQuestionBeforeTheList(t *testing.T) {
	first := question("1", api.ActionCreate, "/home/ada/barn", "barn", "Zed")
	last := question("2", api.ActionCreate, "/home/ada/yard", "yard", "Zed")
	last.Asked = first.Asked.Add(time.Second)
	f := busy()
	f.status.Open = []api.Question{first, last}
	w, _ := newTest(t, nil, VariantLight)
	ask(w, last)
	if w.asking.popup != nil {
		t.Error("a question stands there before the list is known")
	}
	w.Connected(f)
	if w.asking.shown != first.ID {
		t.Errorf("%q stands there, not %q", w.asking.shown, first.ID)
	}
}

func TestAMissingFolderIsSaidOnce(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	w.details("d")
	p, _ := w.model.Project("d")
	triangles := 0
	for _, o := range test.LaidOutObjects(w.detailsBody(p)) {
		if i, is := o.(*widget.Icon); is && i.Resource == marks[present.MarkNeeds] {
			triangles++
		}
	}
	if triangles != 1 {
		t.Errorf("%d triangles", triangles)
	}
}

func TestTheFilterGoesWithThePage(t *testing.T) {
	f := busy()
	for i := range projectFilterFrom {
		f.status.Projects = append(f.status.Projects, project(fmt.Sprint("x", i), fmt.Sprint("small", i),
			fmt.Sprint("/home/ada/x", i), api.StateReady, 1))
	}
	w, _ := newTest(t, f, VariantLight)
	p := w.pages[PageProjects].(*projects)
	p.filter.SetText("engine")
	if len(p.rows) != 1 || p.total.value != "1 of 15 projects" {
		t.Errorf("%d rows, %q", len(p.rows), p.total.value)
	}
	w.Go(PageSearch, "")
	w.Go(PageProjects, "")
	if len(p.rows) != 15 || p.filter.Text != "" {
		t.Errorf("%d rows, filter %q", len(p.rows), p.filter.Text)
	}
}

// TestHome checks that the window opens on the search, or on the first steps without a project.
func TestHome(t *testing.T) {
	for n, want := range map[int]Page{0: PageProjects, 3: PageSearch} {
		w, _ := newTest(t, nil, VariantLight)
		w.Want(PageHome, "")
		w.Connected(many(n))
		if w.current != want {
			t.Errorf("%d projects: on %s", n, w.current)
		}
	}
}

// TestListAndDetails checks that details are beside the list in a wide window and over it in a narrow one.
func TestListAndDetails(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	size(w, 1280, 780)
	w.Go(PageProjects, "")
	if w.sheet == nil || w.body.Size().Width < 400 || w.cover.Position().X < w.body.Size().Width {
		t.Errorf("sheet %v, list of %v, details at %v", w.sheet, w.body.Size(), w.cover.Position())
	}
	if f := w.Win().Canvas().Focused(); f != nil {
		t.Errorf("%T has the keyboard", f)
	}
	size(w, 700, 600)
	w.details("a")
	if w.cover.Size().Width != w.panes.Size().Width {
		t.Errorf("details of %v in %v", w.cover.Size(), w.panes.Size())
	}
	w.closeSheet()
	for _, l := range []translations.Language{translations.English, translations.For("de")} {
		w, _ := newTestIn(t, searching(), VariantLight, l)
		for _, p := range Pages {
			w.Go(p, "")
			if got := w.Win().Content().MinSize().Width; got > 600 {
				t.Errorf("%s needs %v", p, got)
			}
		}
	}
}

func TestSettingsAreFound(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	w.Go(PageSettings, "")
	s := w.pages[PageSettings].(*settings)
	s.find.SetText("Battery")
	got := strings.Join(words(w), "|")
	if !strings.Contains(got, "Pause on battery") || strings.Contains(got, "Start at login") || len(s.body.Objects) != 1 {
		t.Errorf("%s", got)
	}
	s.find.SetText("data")
	if !strings.Contains(strings.Join(words(w), "|"), "Delete all indexes…") { // all of the section of that name
		t.Error("the section is not whole")
	}
}

func TestNothingNeedsMoreThan600(t *testing.T) {
	for _, l := range []string{"", "de"} {
		w, _ := newTestIn(t, searching(), VariantLight, translations.For(l))
		size(w, 600, 600)
		for _, p := range Pages {
			w.Go(p, "")
			if got := w.Win().Content().MinSize().Width; got > 600 {
				t.Errorf("%s%s needs %v", p, l, got)
			}
		}
	}
}
