package ui

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/desktop/connect"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func newTest(t *testing.T, f *fake, v widget.Variant) (*Window, *desk) {
	t.Helper()
	return newTestIn(t, f, v, translations.English)
}

func newTestIn(t *testing.T, f *fake, v widget.Variant, l translations.Language) (*Window, *desk) {
	t.Helper()
	a := remembering{test.NewTempApp(t)}
	fyne.SetCurrentApp(a)
	a.Preferences().SetString(page.PrefTheme, string(v))
	a.Preferences().SetBool(prefClosed, true)
	d := &desk{
		editors: []connect.Status{
			{ID: "claude-code", Name: "Claude Code", State: connect.Connected, File: "/home/ada/.claude.json"},
			{ID: "cursor", Name: "Cursor", State: connect.Free, File: "/home/ada/.cursor/mcp.json"},
			{ID: "vscode", Name: "VS Code", State: connect.Outdated, File: "/home/ada/.config/Code/User/mcp.json",
				Command: "/home/ada/Downloads/search-mcp/search-mcp"},
			{ID: "zed", Name: "Zed", State: connect.Broken, File: "/home/ada/.config/zed/settings.json",
				Problem: "The configuration can't be read (line 12, column 3: invalid character '}'), so it was " +
					"left unchanged. Please correct it first."},
			{ID: "goose", Name: "Goose", State: connect.Missing}, {ID: "amp", Name: "Amp", State: connect.Missing},
			{ID: "windsurf", Name: "Windsurf", State: connect.Missing},
			{ID: "gemini", Name: "Gemini CLI", State: connect.Missing},
			{ID: "jetbrains", Name: "JetBrains (Junie)", State: connect.Missing},
		},
	}
	w := New(page.Options{App: a, Desktop: d, Version: "1.0.0", Now: func() time.Time { return now }, Language: l,
		Home: "/home/ada", Inline: true, Palette: func() fyne.Window { return a.NewWindow("") },
		Behind: fyne.Window.Show})
	t.Cleanup(w.Close)
	w.Show()
	size(w, 900, 600)
	if f != nil {
		w.Connected(f)
	}
	return w, d
}

func newBusy(t *testing.T) (*fake, *Window) {
	t.Helper()
	f := busy()
	w, _ := newTest(t, f, widget.VariantLight)
	return f, w
}

// clock returns the time that w shows from now on.
func clock(w *Window) *time.Time {
	at := now
	w.Now = func() time.Time { return at }
	return &at
}

// opened opens a page and returns it.
func opened[P any](w *Window, p page.Page, project string) P {
	w.Go(p, project)
	return w.Pages[p].(P)
}

func size(w *Window, width, height float32) { w.Win.Resize(fyne.NewSize(width, height)) }

func onScreen(w *Window) []fyne.CanvasObject {
	hidden := map[fyne.CanvasObject]bool{}
	for _, p := range w.Body.Objects {
		if !p.Visible() {
			for _, o := range test.LaidOutObjects(p) {
				hidden[o] = true
			}
		}
	}
	return slices.DeleteFunc(test.LaidOutObjects(w.Win.Content()), func(o fyne.CanvasObject) bool { return hidden[o] })
}

func find(w *Window, label present.Text) *widget.Button {
	objects := onScreen(w)
	if top := w.Win.Canvas().Overlays().Top(); top != nil {
		objects = test.LaidOutObjects(top)
	}
	for _, o := range slices.Backward(objects) {
		if b, ok := o.(*widget.Button); ok && b.Text == present.T(label) && b.Visible() {
			return b
		}
	}
	return nil
}

func read(w *Window) {
	if w.asking.popup != nil {
		at := w.Now().Add(deadTime)
		w.Now = func() time.Time { return at }
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

func wantDid(t *testing.T, f *fake, what string) {
	t.Helper()
	if !f.has(what) {
		t.Errorf("did %q, not %q", f.did, what)
	}
}

func wantWords(t *testing.T, w *Window, parts ...string) {
	t.Helper()
	said := strings.Join(words(w), "\n")
	for _, part := range parts {
		wantPart(t, said, part, "said")
	}
}

func TestQuestionBeforeTheList(t *testing.T) {
	first := question("1", api.ActionCreate, "/home/ada/barn", "barn", "Zed")
	last := question("2", api.ActionCreate, "/home/ada/yard", "yard", "Zed")
	last.Asked = first.Asked.Add(time.Second)
	f := busy()
	f.status.Open = []api.Question{first, last}
	w, _ := newTest(t, nil, widget.VariantLight)
	ask(w, last)
	wantEqual(t, w.asking.popup == nil, true, "a question is shown before the list is loaded")
	w.Connected(f)
	wantEqual(t, w.asking.shown, first.ID, "%q stands there", w.asking.shown)
}

func TestHome(t *testing.T) {
	for n, want := range map[int]page.Page{0: page.PageProjects, 3: page.PageSearch} {
		w, _ := newTest(t, nil, widget.VariantLight)
		w.Want(page.PageHome, "")
		w.Connected(many(n))
		wantEqual(t, w.Current, want, "%d projects: on", n)
	}
}

func TestListAndDetails(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 1280, 780)
	w.Go(page.PageProjects, "")
	wantSheet(t, w, "")
	w.Pages[page.PageProjects].(*page.Projects).List.Choose(0)
	if w.Sheet == nil || w.Body.Size().Width < 400 || w.Cover.Position().X < w.Body.Size().Width {
		t.Errorf("sheet %v, list of %v, details at %v", w.Sheet, w.Body.Size(), w.Cover.Position())
	}
	if f := w.Win.Canvas().Focused(); f != nil {
		t.Errorf("%T has the keyboard", f)
	}
	size(w, 700, 600)
	w.Details("a")
	wantEqual(t, w.Cover.Size().Width, w.Panes.Size().Width, "details of %v in %v", w.Cover.Size(), w.Panes.Size())
}

func TestMinimumWidthIs600(t *testing.T) {
	for _, l := range []string{"", "de"} {
		w, _ := newTestIn(t, searching(), widget.VariantLight, translations.For(l))
		size(w, 600, 600)
		for _, p := range page.Pages {
			w.Go(p, "")
			if m := w.Win.Content().MinSize(); m.Width > 600 || m.Height > 600 {
				t.Errorf("%s%s needs %v", p, l, m)
			}
		}
	}
}

// TestMain sets the time zone, because pages show local times. It also collects garbage less often, because tests build
// many windows.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// remembering is an app that remembers the sizes of texts for all tests. Fyne forgets them whenever a theme is set, and
// measures each text in 0.4 ms.
type remembering struct{ fyne.App }

func (a remembering) Driver() fyne.Driver { return remembered{a.App.Driver()} }

type remembered struct{ fyne.Driver }

type measured struct {
	text   string
	size   float32
	style  fyne.TextStyle
	source fyne.Resource
}

type extent struct {
	size     fyne.Size
	baseline float32
}

var extents sync.Map // measured → extent

func (d remembered) RenderedTextSize(text string, size float32, style fyne.TextStyle, source fyne.Resource) (fyne.Size,
	float32) {
	key := measured{text, size, style, source}
	if e, ok := extents.Load(key); ok {
		return e.(extent).size, e.(extent).baseline
	}
	s, baseline := d.Driver.RenderedTextSize(text, size, style, source)
	extents.Store(key, extent{s, baseline})
	return s, baseline
}

type counted struct {
	fyne.App
	driver *countedDriver
}

func (a *counted) Driver() fyne.Driver { return a.driver }

type countedDriver struct {
	fyne.Driver
	drawn int
}

func (d *countedDriver) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	if c := d.Driver.CanvasForObject(o); c != nil {
		return countedCanvas{c, d}
	}
	return nil
}

type countedCanvas struct {
	fyne.Canvas
	driver *countedDriver
}

func (c countedCanvas) Refresh(o fyne.CanvasObject) {
	c.driver.drawn++
	c.Canvas.Refresh(o)
}

func redraws(do func()) int {
	real := fyne.CurrentApp()
	d := &countedDriver{Driver: real.Driver()}
	fyne.SetCurrentApp(&counted{real, d})
	defer fyne.SetCurrentApp(real)
	do()
	return d.drawn
}

func TestUnchangedIsNotDrawn(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	same, _ := w.Model.Project("a")
	again := func() { w.Event(api.Event{Kind: api.EventProject, Project: &same}) }
	for _, p := range page.Pages {
		w.Go(p, "")
		again()
		wantEqual(t, redraws(again), 0, "%s: redraws", p)
	}
	for name, open := range map[string]func(){
		"details": func() { w.Details("a") }, "preview": func() { w.AddPath("/home/ada/code/shop") },
		"settings": func() { w.Configure(same) },
	} {
		w.Go(page.PageProjects, "")
		open()
		wantEqual(t, redraws(again), 0, "%s: redraws", name)
	}
	w.Go(page.PageProjects, "a")
	same.Files++
	if redraws(again) == 0 {
		t.Error("a change was not drawn")
	}
}

func TestAgesInAnOpenWindow(t *testing.T) {
	f := searching()
	w, _ := newTest(t, f, widget.VariantLight)
	size(w, 1280, 1600)
	later := now
	w.Now = func() time.Time { return later }
	w.App.Preferences().SetStringList(page.PrefAsked, []string{"rate limit\t" + now.Format(time.RFC3339)})
	f.status.Projects[0].LastAsked = now
	for at, want := range map[page.Page]string{page.PageProjects: "searched 5 min ago", page.PageSearch: "5 min ago",
		page.PageEditors: "last used 5 min ago", page.PageSources: "checked 4 h ago"} {
		later = now
		w.Go(at, "")
		later = now.Add(5 * time.Minute)
		if at == page.PageSources {
			later = now.Add(time.Hour)
		}
		w.renew()
		wantWords(t, w, want)
	}
}

func TestDetailsCountSearches(t *testing.T) {
	f, w := newBusy(t)
	w.Go(page.PageProjects, "a")
	f.usage.Days[2].Projects["/home/ada/code/engine"] = 15
	w.Event(api.Event{Kind: api.EventActivity, Activity: &f.activity[0]})
	wantWords(t, w, "15 today")
}

// TestFewThemes checks that only the search field has its own theme. For each theme, Fyne loads all fonts and keeps
// them.
func TestFewThemes(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 1400, 900)
	for _, p := range page.Pages {
		w.Go(p, "")
		n := 0
		for _, o := range onScreen(w) {
			if _, is := o.(*container.ThemeOverride); is {
				n++
			}
		}
		if n > 1 || n == 1 != (p == page.PageSearch) {
			t.Errorf("%s: %d themes", p, n)
		}
	}
}

func TestMenusStayInTheWindow(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	widget.ShowMenu(w.ProjectMenu("a"), find(w, "Add folder"))
	found := false
	for _, o := range test.LaidOutObjects(w.Win.Canvas().Overlays().Top()) {
		if m, is := o.(*fynewidget.PopUpMenu); is {
			found = true
			if end := m.Position().X + m.Size().Width; end > 900-widget.GapSmall {
				t.Errorf("the menu ends at %.0f", end)
			}
		}
	}
	if !found {
		t.Error("no menu")
	}
}
