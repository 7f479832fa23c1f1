package ui

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

func newTestChooser(t *testing.T, n int) (w *Window, c *chooser, picked *[]string) {
	t.Helper()
	w, _ = newTest(t, busy(), VariantLight)
	var options []option
	for i := range n {
		options = append(options, option{fmt.Sprint(i), fmt.Sprintf("service-%02d", i), fmt.Sprintf("~/work/%d", i)})
	}
	picked = &[]string{}
	c = w.newChooser(options, "2", func(key string) { *picked = append(*picked, key) })
	w.body.Objects = []fyne.CanvasObject{container.NewVBox(wide(200, c))}
	w.body.Refresh()
	return w, c, picked
}

func typed(w *Window, keys ...fyne.KeyName) {
	for _, k := range keys {
		w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func TestChooserByKeyboard(t *testing.T) {
	w, c, picked := newTestChooser(t, 30)
	w.win.Canvas().Focus(c)
	typed(w, fyne.KeySpace)
	if c.popup == nil {
		t.Fatal("Space does not open the list")
	}
	typed(w, fyne.KeyDown, fyne.KeyReturn) // moves from the chosen option to the next
	if fmt.Sprint(*picked) != "[3]" || c.popup != nil || w.win.Canvas().Focused() != fyne.Focusable(c) {
		t.Fatalf("picked %v, list %v, focus %T", *picked, c.popup, w.win.Canvas().Focused())
	}
	typed(w, fyne.KeySpace)
	test.Type(w.win.Canvas().Focused(), "work/2 27")
	typed(w, fyne.KeyReturn)
	if fmt.Sprint(*picked) != "[3 27]" {
		t.Errorf("filtered: picked %v", *picked)
	}
	c.TypedRune('x') // typing opens the list, and Enter does nothing without a match
	typed(w, fyne.KeyReturn)
	if len(*picked) != 2 || c.popup == nil {
		t.Errorf("picked %v of nothing", *picked)
	}
	typed(w, fyne.KeyEscape)
	if c.popup != nil || c.shown() != "service-27" {
		t.Errorf("after Escape: list %v, %q", c.popup, c.shown())
	}
}

func TestChooserByMouse(t *testing.T) {
	w, c, picked := newTestChooser(t, 5)
	test.Tap(c)
	for _, o := range test.LaidOutObjects(w.win.Canvas().Overlays().Top()) {
		if r, ok := o.(*pickRow); ok && r.index == 4 {
			test.Tap(r)
		}
	}
	if fmt.Sprint(*picked) != "[4]" || c.shown() != "service-04" {
		t.Fatalf("picked %v", *picked)
	}
	test.Tap(c)
	for _, o := range test.LaidOutObjects(w.win.Canvas().Overlays().Top()) {
		if r, ok := o.(*pickRow); ok && r.index == 4 {
			test.Tap(r) // the option is already chosen
		}
	}
	if len(*picked) != 1 || w.win.Canvas().Overlays().Top() != nil {
		t.Errorf("picked %v", *picked)
	}
}

func TestChooserStaysInTheWindow(t *testing.T) {
	for _, where := range []string{"top", "bottom"} {
		w, c, _ := newTestChooser(t, 300)
		if where == "bottom" {
			w.body.Objects = []fyne.CanvasObject{container.NewBorder(nil, wide(200, c), nil, nil)}
			w.body.Refresh()
		}
		size(w, 720, 420)
		c.Tapped(nil)
		content := c.popup.content
		pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(content)
		if end := pos.Y + content.Size().Height; pos.Y < 0 || end > 420 || content.Size().Height < 200 {
			t.Errorf("%s: the list reaches from %v to %v", where, pos.Y, end)
		}
		w.Go(PageSettings, "")
		if w.win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: the list stays when the page changes", where)
		}
	}
}

func TestFiltered(t *testing.T) {
	all := []option{{"a", "webapp", "~/code"}, {"b", "app", "~/code"}, {"c", "engine", "~/app"}}
	for text, want := range map[string]string{"": "abc", "app": "bac", "code": "ab", "APP code": "ba", "zz": ""} {
		got := ""
		for _, o := range filtered(all, text) {
			got += o.key
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
