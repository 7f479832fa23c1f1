package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"searchmcp/ui/widget"
)

func reach(w *Window) map[fyne.Focusable]bool {
	c, found := w.win.Canvas(), map[fyne.Focusable]bool{}
	c.FocusNext()
	for f := c.Focused(); f != nil && !found[f]; f = c.Focused() {
		found[f] = true
		c.FocusNext()
	}
	return found
}

func usable(w *Window) []fyne.Focusable {
	root := w.win.Content()
	if top := w.win.Canvas().Overlays().Top(); top != nil {
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
		if len(want) == 0 {
			t.Errorf("%s: no controls", where)
		}
		for _, f := range want {
			if !found[f] {
				t.Errorf("%s: Tab does not come to the %T %s", where, f, describe(f))
			}
		}
	}
	for _, p := range Pages {
		w.Go(p, "")
		look(string(p))
	}
	for name, open := range sheetsOf(t, w) {
		open()
		look(name)
		w.closeSheet()
	}
	ask(w, question("q", "create", "/home/ada/a", "a", "Codex"))
	look("question")
}

func sheetsOf(t *testing.T, w *Window) map[string]func() {
	t.Helper()
	p, ok := w.model.Project("a")
	if !ok {
		t.Fatal("no project")
	}
	s := w.pages[PageSources].(*sources)
	return map[string]func(){
		"details": func() { w.details(p.ID) }, "settings of a project": func() { w.configure(p) },
		"preview": func() { w.addPath("/home/ada/code/shop") }, "site": s.addSite,
		"shared index": func() { w.addShared("a") },
	}
}

func TestShortcutsFromAField(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	press := func(key fyne.KeyName) {
		s := &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}
		w.win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(s)
	}
	w.Go(PageSearch, "")
	press(fyne.Key4)
	if w.current != PageEditors {
		t.Errorf("on %s", w.current)
	}
	w.Go(PageSearch, "")
	s := w.pages[PageSearch].(*search)
	test.Type(s.field, "token")
	s.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	test.Type(s.field, "key")
	if s.field.Text != "key" {
		t.Errorf("%q in the field", s.field.Text)
	}
	w.pages[PageSources].(*sources).addSite()
	press(fyne.Key1)
	if w.current != PageProjects || w.sheet != nil {
		t.Errorf("on %s, sheet %v", w.current, w.sheet)
	}
}

func TestTheFieldGoesWithItsPage(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Go(PageSearch, "")
	field := w.win.Canvas().Focused()
	again, ok := field.(interface{ RestartCaret() })
	if !ok {
		t.Fatalf("focus is on %T, want the field", field)
	}
	test.Type(field, "lock")
	again.RestartCaret()
	test.Type(field, "ed")
	if got := w.pages[PageSearch].(*search).field.Text; got != "locked" || w.win.Canvas().Focused() != field {
		t.Errorf("field has %q and the focus is on %T", got, w.win.Canvas().Focused())
	}
	w.Go(PageProjects, "")
	if w.win.Canvas().Focused() == field {
		t.Error("a field that is not to be seen keeps the focus")
	}
}

func TestFocusComesBack(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	c := w.win.Canvas()
	w.Go(PageSearch, "")
	field := c.Focused()
	for range 2 {
		field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
		if c.Focused() == field {
			t.Fatal("F1 opened nothing")
		}
		w.showKeys() // replaces the open sheet
		c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if c.Focused() != field {
			t.Fatalf("after Escape %T has the focus", c.Focused())
		}
	}
	if c.Focused().TypedRune('x'); w.pages[PageSearch].(*search).field.Text != "x" {
		t.Error("what is typed does not arrive")
	}
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF1})
	if w.Go(PageActivity, ""); c.Focused() == field {
		t.Error("a field of another page has the focus")
	}
}

func TestFieldOfThePage(t *testing.T) {
	const search = "field Sentence, name or word"
	for page, want := range map[Page]string{PageSettings: "field Find a setting", PageProjects: "field Filter projects",
		PageActivity: search, PageEditors: search} {
		w, _ := newTest(t, many(30), widget.VariantLight)
		w.Go(page, "")
		w.keys[(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault}).ShortcutName()]()
		if got := describe(w.win.Canvas().Focused()); got != want || want == search && w.current != PageSearch {
			t.Errorf("%s: %q on %s, want %q", page, got, w.current, want)
		}
	}
}

func TestAClickLeavesTheKeyboardInTheList(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Go(PageProjects, "")
	l := w.pages[PageProjects].(*projects).list
	test.Tap(l.Body.Rows[1])
	if w.win.Canvas().Focused() != fyne.Focusable(l) || !l.ByMouse {
		t.Fatalf("%T has the focus, by the mouse %v", w.win.Canvas().Focused(), l.ByMouse)
	}
	if l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}); l.At != 2 || l.ByMouse {
		t.Errorf("row %d, by the mouse %v", l.At, l.ByMouse)
	}
}

// TestRowsMoveUnderThePointer checks that no row stays highlighted where the pointer was before the list moved.
func TestRowsMoveUnderThePointer(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	r := w.pages[PageProjects].(*projects).list.Body.Rows[1]
	r.MouseIn(nil)
	if size(w, 900, 700); r.Hovered {
		t.Error("highlighted after the list has moved")
	}
	if r.MouseMoved(nil); !r.Hovered {
		t.Error("not highlighted under the pointer")
	}
}
