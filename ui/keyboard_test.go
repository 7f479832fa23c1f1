package ui

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/widget"
)

func reach(w *Window) map[fyne.Focusable]bool {
	c, found := w.Win.Canvas(), map[fyne.Focusable]bool{}
	c.FocusNext()
	for f := c.Focused(); f != nil && !found[f]; f = c.Focused() {
		found[f] = true
		c.FocusNext()
	}
	return found
}

func usable(w *Window) []fyne.Focusable {
	root := w.Win.Content()
	if top := w.Win.Canvas().Overlays().Top(); top != nil {
		root = top
	}
	return controls(root)
}

func controls(o fyne.CanvasObject) []fyne.Focusable {
	if !o.Visible() {
		return nil
	}
	var all []fyne.Focusable
	if f, ok := o.(fyne.Focusable); ok {
		if off, can := o.(fyne.Disableable); !can || !off.Disabled() {
			all = append(all, f)
		}
	}
	var children []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		children = o.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(o).Objects()
	}
	for _, child := range children {
		all = append(all, controls(child)...)
	}
	return all
}

func describe(f fyne.Focusable) string {
	switch f := f.(type) {
	case *widget.Button:
		return "button " + f.Text
	case *widget.Switch:
		return "switch " + f.Text
	case *widget.Entry:
		return "field " + f.PlaceHolder
	case *widget.Chooser:
		return "chooser " + f.Shown()
	}
	return ""
}

func TestEverythingByKeyboard(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 900, 2400) // tall enough for all controls
	look := func(where string) {
		t.Helper()
		found, want := reach(w), usable(w)
		if where == "preview" {
			want = slices.DeleteFunc(controls(w.Cover), func(f fyne.Focusable) bool { return describe(f) == "" })
		}
		if len(want) == 0 {
			t.Errorf("%s: no controls", where)
		}
		for _, f := range want {
			if !found[f] {
				t.Errorf("%s: Tab does not come to the %T %s", where, f, describe(f))
			}
		}
	}
	for _, p := range page.Pages {
		w.Go(p, "")
		look(string(p))
	}
	for name, open := range sheetsOf(t, w) {
		open()
		look(name)
		w.CloseSheet()
	}
	ask(w, question("q", "create", "/home/ada/a", "a", "Codex"))
	look("question")
}

func sheetsOf(t *testing.T, w *Window) map[string]func() {
	t.Helper()
	p, ok := w.Model.Project("a")
	if !ok {
		t.Fatal("no project")
	}
	s := w.Pages[page.PageSources].(*page.Sources)
	return map[string]func(){
		"details": func() { w.Details(p.ID) }, "settings of a project": func() { w.Configure(p) },
		"preview": func() { w.AddPath("/home/ada/code/shop") }, "site": s.AddSite,
		"shared index": func() { w.AddShared("a") },
	}
}

func TestARefreshKeepsTheFocus(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	c := w.Win.Canvas()
	w.Details("b")
	p, _ := w.Model.Project("b")
	name := func() string {
		if b, ok := c.Focused().(*widget.Button); ok && b.Icon != nil {
			return describe(b) + b.Icon.Name()
		}
		return describe(c.Focused())
	}
	seen := map[string]bool{}
	for range 24 {
		before, g := name(), *p.Progress
		g.ChunksDone += 50
		p.Progress = &g
		w.Event(api.Event{Kind: api.EventProject, Project: &p})
		wantEqual(t, before, name(), "the focus")
		wantEqual(t, slices.Contains(usable(w), c.Focused()), true, "%q is usable", before)
		seen[before] = true
		c.FocusNext()
	}
	if !seen["button Delete index…"] {
		t.Errorf("reached %v", slices.Sorted(maps.Keys(seen)))
	}
}

func TestTabStaysInThePreview(t *testing.T) {
	f, w := newBusy(t)
	c := w.Win.Canvas()
	w.AddPath("/home/ada/code/shop")
	wantEqual(t, describe(c.Focused()), "button Index folder", "focused")
	f.preview.Broad = true
	w.AddPath("/home/ada/code/shop")
	var seen []string
	for _, move := range []func(){c.FocusNext, c.FocusPrevious} {
		for range 4 {
			seen = append(seen, describe(c.Focused()))
			move()
		}
	}
	const want = "button Cancel, button Index folder, button , button Cancel, " +
		"button Index folder, button Cancel, button , button Index folder"
	wantEqual(t, strings.Join(seen, ", "), want, "Tab and Shift+Tab come to: seen")
	c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	wantSheet(t, w, "")
}

func TestShortcutsFromAField(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	press := func(key fyne.KeyName) {
		s := &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
		w.Win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(s)
	}
	w.Go(page.PageSearch, "")
	press(fyne.Key4)
	wantEqual(t, w.Current, page.PageEditors, "on")
	s := opened[*page.Search](w, page.PageSearch, "")
	test.Type(s.Field, "token")
	s.Field.TypedShortcut(&fyne.ShortcutSelectAll{})
	test.Type(s.Field, "key")
	wantEqual(t, s.Field.Text, "key", "%q in the field", s.Field.Text)
	press(fyne.KeyK)
	wantEqual(t, w.palette.since.IsZero(), false, "Ctrl+K hides the palette")
	w.palette.s.Field.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyK})
	wantEqual(t, w.palette.since.IsZero(), true, "Ctrl+K hides the palette")
	w.Pages[page.PageSources].(*page.Sources).AddSite()
	press(fyne.Key1)
	wantEqual(t, w.Current, page.PageProjects, "current")
	wantSheet(t, w, "")
}

func TestTheFieldGoesWithItsPage(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Go(page.PageSearch, "")
	field := w.Win.Canvas().Focused()
	again, ok := field.(interface{ RestartCaret() })
	if !ok {
		t.Fatalf("focus is on %T, want the field", field)
	}
	test.Type(field, "lock")
	again.RestartCaret()
	test.Type(field, "ed")
	wantEqual(t, w.Pages[page.PageSearch].(*page.Search).Field.Text, "locked", "field has: text")
	wantEqual(t, w.Win.Canvas().Focused(), field, "field has: focused")
}

func TestFocusComesBack(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	c := w.Win.Canvas()
	w.Go(page.PageSearch, "")
	field := c.Focused()
	for range 2 {
		field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
		if c.Focused() == field {
			t.Fatal("F1 opened nothing")
		}
		w.ShowKeys() // replaces the open sheet
		c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		wantEqual(t, c.Focused(), field, "after Escape: focused")
	}
	c.Focused().TypedRune('x')
	wantEqual(t, w.Pages[page.PageSearch].(*page.Search).Field.Text, "x", "after a typed letter: text")
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if w.Go(page.PageActivity, ""); c.Focused() == field {
		t.Error("a field of another page has the focus")
	}
}

func TestFieldOfThePage(t *testing.T) {
	const search = "field Sentence, name or word; lang:go or path:src to filter"
	for at, want := range map[page.Page]string{page.PageSettings: "field Find a setting",
		page.PageProjects: "field Filter projects", page.PageActivity: search, page.PageEditors: search} {
		w, _ := newTest(t, many(30), widget.VariantLight)
		w.Go(at, "")
		w.keys[(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault}).ShortcutName()]()
		if got := describe(w.Win.Canvas().Focused()); got != want || want == search && w.Current != page.PageSearch {
			t.Errorf("%s: %q on %s, want %q", at, got, w.Current, want)
		}
	}
}

func TestAClickLeavesTheKeyboardInTheList(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Go(page.PageProjects, "")
	l := w.Pages[page.PageProjects].(*page.Projects).List
	test.Tap(l.Rows[1])
	wantEqual(t, w.Win.Canvas().Focused(), fyne.Focusable(l), "focused")
	wantEqual(t, l.ByMouse, true, "by the mouse")
	if l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}); l.At != 2 || l.ByMouse {
		t.Errorf("row %d, by the mouse %v", l.At, l.ByMouse)
	}
}

// Rows keep their order until the page is opened again. A new project is first.
func TestRowsKeepTheirOrder(t *testing.T) {
	f := many(4)
	w, _ := newTest(t, f, widget.VariantLight)
	names := func() string {
		var all []string
		for _, r := range w.Pages[page.PageProjects].(*page.Projects).Rows {
			all = append(all, strings.TrimPrefix(r.Name, "service-"))
		}
		return strings.Join(all, " ")
	}
	busy := f.status.Projects[3]
	busy.State = api.StateIndexing
	added := project("new", "new", "/home/ada/new", api.StateIndexing, 1)
	for _, p := range []api.Project{busy, added} {
		w.Event(api.Event{Kind: api.EventProject, Project: &p})
	}
	wantEqual(t, names(), "new 01 02 03 04", "order")
	f.status.Projects[3] = busy
	w.Go(page.PageProjects, "")
	wantEqual(t, names(), "04 01 02 03", "order of the opened page")
}

// TestRowsMoveUnderThePointer checks that no row stays highlighted where the pointer was before the list moved.
func TestRowsMoveUnderThePointer(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	r := w.Pages[page.PageProjects].(*page.Projects).List.Rows[1]
	r.MouseIn(nil)
	size(w, 900, 700)
	wantEqual(t, r.Hovered, false, "highlighted after the list has moved")
	r.MouseMoved(nil)
	wantEqual(t, r.Hovered, true, "not highlighted under the pointer")
}

// The arrow keys reach the list of a page without Tab, from its filter too.
func TestArrowsReachTheList(t *testing.T) {
	w, _ := newTest(t, many(12), widget.VariantLight)
	p := w.Pages[page.PageProjects].(*page.Projects)
	for name, focus := range map[string]fyne.Focusable{"nothing": nil, "the filter": p.Filter} {
		w.Win.Canvas().Focus(focus)
		keys(w, fyne.KeyDown)
		if w.Win.Canvas().Focused() != fyne.Focusable(p.List) {
			t.Errorf("%s had the focus: %T", name, w.Win.Canvas().Focused())
		}
	}
}
