package ui

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func newTestChooser(t *testing.T, n int) (w *Window, c *widget.Chooser, picked *[]string) {
	t.Helper()
	w, _ = newTest(t, busy(), widget.VariantLight)
	var options []widget.Option
	for i := range n {
		options = append(options, widget.Option{Key: fmt.Sprint(i), Name: fmt.Sprintf("service-%02d", i),
			Note: fmt.Sprintf("~/work/%d", i)})
	}
	picked = &[]string{}
	c = w.NewChooser(options, "2", func(key string) { *picked = append(*picked, key) })
	w.Body.Objects = []fyne.CanvasObject{container.NewVBox(widget.Wide(200, c))}
	w.Body.Refresh()
	return w, c, picked
}

func typed(w *Window, keys ...fyne.KeyName) {
	for _, k := range keys {
		w.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func TestChooserByKeyboard(t *testing.T) {
	w, c, picked := newTestChooser(t, 30)
	w.Win.Canvas().Focus(c)
	typed(w, fyne.KeySpace)
	wantEqual(t, w.Win.Canvas().Overlays().Top() == nil, false, "Space does not open the list")
	typed(w, fyne.KeyDown, fyne.KeyReturn) // moves from the chosen option to the next
	canvas := w.Win.Canvas()
	if fmt.Sprint(*picked) != "[3]" || canvas.Overlays().Top() != nil || canvas.Focused() != fyne.Focusable(c) {
		t.Fatalf("picked %v, list %v, focus %T", *picked, canvas.Overlays().Top(), canvas.Focused())
	}
	typed(w, fyne.KeySpace)
	test.Type(w.Win.Canvas().Focused(), "work/2 27")
	typed(w, fyne.KeyReturn)
	wantEqual(t, fmt.Sprint(*picked), "[3 27]", "filtered: picked %v", *picked)
	c.TypedRune('x') // typing opens the list, and Enter does nothing without a match
	typed(w, fyne.KeyReturn)
	if len(*picked) != 2 || w.Win.Canvas().Overlays().Top() == nil {
		t.Errorf("picked %v of nothing", *picked)
	}
	typed(w, fyne.KeyEscape)
	if w.Win.Canvas().Overlays().Top() != nil || c.Shown() != "service-27" {
		t.Errorf("after Escape: list %v, %q", w.Win.Canvas().Overlays().Top(), c.Shown())
	}
}

func TestChooserByMouse(t *testing.T) {
	w, c, picked := newTestChooser(t, 5)
	for range 2 { // the second time the option is already chosen
		test.Tap(c)
		for _, o := range test.LaidOutObjects(w.Win.Canvas().Overlays().Top()) {
			if r, ok := o.(*widget.PickRow); ok && r.Index == 4 {
				test.Tap(r)
			}
		}
	}
	if fmt.Sprint(*picked) != "[4]" || c.Shown() != "service-04" || w.Win.Canvas().Overlays().Top() != nil {
		t.Errorf("picked %v", *picked)
	}
}

func TestChooserStaysInTheWindow(t *testing.T) {
	for _, where := range []string{"top", "bottom"} {
		w, c, _ := newTestChooser(t, 300)
		if where == "bottom" {
			w.Body.Objects = []fyne.CanvasObject{container.NewBorder(nil, widget.Wide(200, c), nil, nil)}
			w.Body.Refresh()
		}
		size(w, 720, 420)
		c.Tapped(nil)
		content := w.Win.Canvas().Overlays().Top().(*fynewidget.PopUp).Content
		pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(content)
		if end := pos.Y + content.Size().Height; pos.Y < 0 || end > 420 || content.Size().Height < 200 {
			t.Errorf("%s: the list reaches from %v to %v", where, pos.Y, end)
		}
		w.Go(page.PageSettings, "")
		if w.Win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: the list stays when the page changes", where)
		}
	}
}

func TestSourceIsCopied(t *testing.T) {
	w, _, s := newTestSearch(t, busy(), widget.VariantLight)
	a := s.Preview.Code.Lines
	cell, gutter, h := a.Cell().Width, a.GutterWidth(), a.LineHeight()
	whole := make([]string, 2)
	for i := range whole {
		for _, c := range a.Lines[i].Cells {
			whole[i] += string(c.Rune)
		}
	}
	drag := func(x, y, dx, dy float32) {
		a.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x+dx, y+dy)},
			Dragged: fyne.NewDelta(dx, dy)})
		a.DragEnd()
	}
	drag(gutter, h/2, cell*1000, h) // from the first line to the end of the second
	s.Field.TypedShortcut(&fyne.ShortcutCopy{Clipboard: w.App.Clipboard()})
	wantEqual(t, w.App.Clipboard().Content(), whole[0]+"\n"+whole[1], "copied")
	a.Tapped(&fyne.PointEvent{Position: fyne.NewPos(-1, -1)})
	wantEqual(t, a.Text(), "", "text")
}

var views = []struct {
	name string
	open func(*Window) fyne.Window
}{
	{"projects", func(w *Window) fyne.Window { w.Go(page.PageProjects, ""); return w.Win }},
	{"details", func(w *Window) fyne.Window { w.Go(page.PageProjects, "b"); return w.Win }},
	{"settings of a project", func(w *Window) fyne.Window {
		w.Go(page.PageProjects, "")
		p, _ := w.Model.Project("a")
		w.Configure(p)
		return w.Win
	}},
	{"search", func(w *Window) fyne.Window {
		return w.asks(page.PageSearch, "where are refresh tokens rotated", page.TabCode)
	}},
	{"uses", func(w *Window) fyne.Window {
		return w.asks(page.PageSearch, "where are refresh tokens rotated", page.TabUses)
	}},
	{"empty search", func(w *Window) fyne.Window { return w.asks(page.PageSearch, "", page.TabCode) }},
	{"activity", func(w *Window) fyne.Window { return w.viewed(page.ViewCalls) }},
	{"indexing", func(w *Window) fyne.Window { return w.viewed(page.ViewIndexing) }},
	{"log", func(w *Window) fyne.Window { return w.viewed(page.ViewLog) }},
	{"editors", func(w *Window) fyne.Window { w.Go(page.PageEditors, ""); return w.Win }},
	{"sources", func(w *Window) fyne.Window { w.Go(page.PageSources, ""); return w.Win }},
	{"palette", func(w *Window) fyne.Window {
		w.ShowPalette()
		w.palette.s.Field.SetText("where are refresh tokens rotated")
		return w.palette.win
	}},
	{"settings", func(w *Window) fyne.Window { w.Go(page.PageSettings, ""); return w.Win }},
}

func (w *Window) asks(p page.Page, query string, tab present.Text) fyne.Window {
	w.Go(p, "a")
	s := w.Pages[p].(*page.Search)
	s.Field.SetText(query)
	s.Preview.Tabs.Choose(tab)
	return w.Win
}

func (w *Window) viewed(view present.Text) fyne.Window {
	w.Go(page.PageActivity, "")
	w.Pages[page.PageActivity].(*page.Activity).Tabs.Choose(view)
	return w.Win
}

func TestSwitchedLooksFresh(t *testing.T) {
	for _, way := range [][2]widget.Variant{{widget.VariantLight, widget.VariantDark},
		{widget.VariantDark, widget.VariantLight}} {
		draw := func(begin widget.Variant) (all []*image.NRGBA) {
			w, _ := newTest(t, searching(), begin)
			for _, v := range views {
				v.open(w)
			}
			w.App.Preferences().SetString(page.PrefTheme, string(way[1]))
			w.App.Settings().SetTheme(widget.Theme{Want: way[1]})
			for _, v := range views {
				c := v.open(w).Canvas()
				c.Unfocus() // the caret blinks
				all = append(all, c.Capture().(*image.NRGBA))
			}
			return all
		}
		want := draw(way[1])
		for i, got := range draw(way[0]) {
			if n := differing(got, want[i]); n > 0 {
				t.Errorf("%s to %s: %d values of %s differ from a new window's", way[0], way[1], n, views[i].name)
			}
		}
	}
}

func differing(a, b *image.NRGBA) (n int) {
	for i := range b.Pix {
		if max(a.Pix[i], b.Pix[i])-min(a.Pix[i], b.Pix[i]) > 8 {
			n++
		}
	}
	return n
}

func TestCutTextIsShownWhole(t *testing.T) {
	f := busy()
	long := strings.Repeat("a-rather-long-name-", 8) + "end"
	f.status.Projects[0].Name = long
	w, _ := newTest(t, f, widget.VariantLight)
	var row *page.ProjectRow
	for _, o := range onScreen(w) {
		if r, ok := o.(*page.ProjectRow); ok && r.Row.Name == long {
			row = r
		}
	}
	wantEqual(t, row == nil, false, "no row")
	if end := row.Name.Position().X + row.Name.Size().Width; end > row.Path.Position().X {
		t.Errorf("the name ends at %v, the path begins at %v", end, row.Path.Position().X)
	}
	over, shown := widget.TipOf(row.Name), false
	for y := float32(60); y < 560; y += 6 { // moves across all rows
		test.MoveMouse(w.Win.Canvas(), fyne.NewPos(350, y))
		shown = shown || over.Text == long
	}
	if !shown {
		t.Error("not shown under the pointer")
	}
	test.MoveMouse(w.Win.Canvas(), fyne.NewPos(350, 10))
	wantEqual(t, over.Text, "", "left behind")
}

func TestTipsLeave(t *testing.T) {
	w, _, s := newTestSearch(t, searching(), widget.VariantLight)
	for name, do := range map[string]func(){
		"typing": func() { s.Field.TypedRune('x') }, "sheet": w.ShowKeys, "page": func() { w.Go(page.PageEditors, "") },
	} {
		w.Go(page.PageSearch, "")
		if w.Tip.Wait("Match case", fyne.NewPos(10, 10)); w.Tip.Text == "" {
			t.Fatal("no tip")
		}
		do()
		wantEqual(t, w.Tip.Text, "", "%s: %q stays", name, w.Tip.Text)
	}
}

// TestFocusRingsAreVisible moves through all controls by Tab. Each must be completely inside the scroll areas around
// it, with the space that Flush links and switches need at the left.
func TestFocusRingsAreVisible(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 900, 500)
	c, driver := w.Win.Canvas(), fyne.CurrentApp().Driver()
	look := func(where string) {
		t.Helper()
		seen, around := map[fyne.Focusable]bool{}, map[fyne.Focusable]*widget.Scroll{}
		for _, x := range onScreen(w) {
			if s, scrolls := x.(*widget.Scroll); scrolls {
				for _, f := range controls(s.Content) {
					around[f] = s
				}
			}
		}
		for c.FocusNext(); c.Focused() != nil && !seen[c.Focused()]; c.FocusNext() {
			f, s := c.Focused(), around[c.Focused()]
			if seen[f] = true; s == nil {
				continue
			}
			o := f.(fyne.CanvasObject)
			at, from := driver.AbsolutePositionForObject(o), driver.AbsolutePositionForObject(s)
			end, to := at.Add(o.Size()), from.Add(s.Size())
			if _, is := o.(*widget.Switch); is {
				at.X, end.X = at.X-4, end.X+4
			}
			if at.X < from.X || at.Y < from.Y || end.X > to.X || end.Y > to.Y && o.Size().Height < s.Size().Height {
				t.Errorf("%s: %T %s from %v to %v is cut at %v to %v", where, f, describe(f), at, end, from, to)
			}
		}
		if len(seen) < 8 {
			t.Errorf("%s: %d controls", where, len(seen))
		}
	}
	for _, p := range page.Pages {
		w.Go(p, "")
		look(string(p))
	}
	for name, open := range sheetsOf(t, w) {
		if name == "preview" { // Tab stays in the sheet
			continue
		}
		open()
		look(name)
		w.CloseSheet()
	}
}
