package ui

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestSourceIsCopied(t *testing.T) {
	w, _, s := newTestSearch(t, busy(), VariantLight)
	a := s.preview.code.lines
	cell, gutter, h := a.cell().Width, a.gutterWidth(), a.lineHeight()
	whole := make([]string, 2)
	for i := range whole {
		for _, c := range a.lines[i].cells {
			whole[i] += string(c.Rune)
		}
	}
	drag := func(x, y, dx, dy float32) {
		a.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x+dx, y+dy)},
			Dragged: fyne.NewDelta(dx, dy)})
		a.DragEnd()
	}
	drag(gutter, h/2, cell*1000, h) // from the first line to the end of the second
	s.field.TypedShortcut(&fyne.ShortcutCopy{Clipboard: w.app.Clipboard()})
	if got, want := w.app.Clipboard().Content(), whole[0]+"\n"+whole[1]; got != want {
		t.Errorf("copied %q, want %q", got, want)
	}
	a.Tapped(&fyne.PointEvent{Position: fyne.NewPos(-1, -1)})
	if got := a.text(); got != "" {
		t.Errorf("%q is still selected after a click", got)
	}
}

func TestF1ShowsTheKeys(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	for _, p := range Pages {
		w.Go(PageSearch, "")
		w.Go(p, "")
		w.closeSheet()
		if field := w.win.Canvas().Focused() == w.pages[PageSearch].(*search).field; field != (p == PageSearch) {
			t.Errorf("%s: the search field has the keyboard: %v", p, field)
		}
		for range 2 { // the second round focuses another widget
			if keys(w, fyne.KeyF1); w.sheet == nil || w.sheet.title != "Keys" {
				t.Errorf("%s: no keys", p)
			}
			w.closeSheet()
			w.win.Canvas().FocusNext()
		}
	}
}
