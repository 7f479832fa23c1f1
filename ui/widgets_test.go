package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/present"
)

func TestButtonLabelIsCut(t *testing.T) {
	newTest(t, searching(), VariantLight) // sets the theme
	const whole = "ORunner.scala › ORunner › renderUsage › renderTwoColumnsUsage"
	b := link(whole, func() {})
	label := test.WidgetRenderer(b).Objects()[3].(*text)
	for _, width := range []float32{120, b.MinSize().Width, 200, 900} {
		b.Resize(fyne.NewSize(width, buttonHeight))
		left, right := label.Position().X, label.Position().X+label.Size().Width
		if left < 0 || right > width {
			t.Errorf("%v wide: the label goes from %v to %v", width, left, right)
		}
		if cut := strings.HasSuffix(drawn(label), "…"); cut != (width < b.MinSize().Width) {
			t.Errorf("%v wide: %q", width, drawn(label))
		}
	}
}

func drawn(t *text) string { return test.WidgetRenderer(t).Objects()[0].(*canvas.Text).Text }

// TestNewRenderersAreLaidOut checks new renderers of sized widgets. Fyne drops the renderers of hidden widgets after a
// minute.
func TestNewRenderersAreLaidOut(t *testing.T) {
	newTest(t, nil, VariantLight) // sets the theme
	for _, w := range []fyne.Widget{newFill(colorTrack, 0), primary("Add folder", nil), newFlip(""), newBar()} {
		w.Resize(fyne.NewSize(100, 32))
		again := w.CreateRenderer()
		for i, o := range test.WidgetRenderer(w).Objects() {
			if got := again.Objects()[i]; got.Size() != o.Size() || got.Position() != o.Position() {
				t.Errorf("%T: object %d has %v at %v, want %v at %v", w, i, got.Size(), got.Position(), o.Size(), o.Position())
			}
		}
	}
}

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
	for range 2 { // the second time the option is already chosen
		test.Tap(c)
		for _, o := range test.LaidOutObjects(w.win.Canvas().Overlays().Top()) {
			if r, ok := o.(*pickRow); ok && r.index == 4 {
				test.Tap(r)
			}
		}
	}
	if fmt.Sprint(*picked) != "[4]" || c.shown() != "service-04" || w.win.Canvas().Overlays().Top() != nil {
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

var views = []struct {
	name string
	open func(*Window) fyne.Window
}{
	{"projects", func(w *Window) fyne.Window { w.Go(PageProjects, ""); return w.win }},
	{"details", func(w *Window) fyne.Window { w.Go(PageProjects, "b"); return w.win }},
	{"settings of a project", func(w *Window) fyne.Window {
		w.Go(PageProjects, "")
		p, _ := w.model.Project("a")
		w.configure(p)
		return w.win
	}},
	{"search", func(w *Window) fyne.Window { return w.asks(PageSearch, "where are refresh tokens rotated", tabCode) }},
	{"uses", func(w *Window) fyne.Window { return w.asks(PageSearch, "where are refresh tokens rotated", tabUses) }},
	{"empty search", func(w *Window) fyne.Window { return w.asks(PageSearch, "", tabCode) }},
	{"activity", func(w *Window) fyne.Window { return w.viewed(viewCalls) }},
	{"indexing", func(w *Window) fyne.Window { return w.viewed(viewIndexing) }},
	{"log", func(w *Window) fyne.Window { return w.viewed(viewLog) }},
	{"editors", func(w *Window) fyne.Window { w.Go(PageEditors, ""); return w.win }},
	{"sources", func(w *Window) fyne.Window { w.Go(PageSources, ""); return w.win }},
	{"palette", func(w *Window) fyne.Window {
		w.showPalette()
		w.palette.s.field.SetText("where are refresh tokens rotated")
		return w.palette.win
	}},
	{"settings", func(w *Window) fyne.Window { w.Go(PageSettings, ""); return w.win }},
}

func (w *Window) asks(p Page, query string, tab present.Text) fyne.Window {
	w.Go(p, "a")
	s := w.pages[p].(*search)
	s.field.SetText(query)
	s.preview.tabs.choose(tab)
	return w.win
}

func (w *Window) viewed(view present.Text) fyne.Window {
	w.Go(PageActivity, "")
	w.pages[PageActivity].(*activity).tabs.choose(view)
	return w.win
}

func TestSwitchedLooksFresh(t *testing.T) {
	for _, way := range [][2]Variant{{VariantLight, VariantDark}, {VariantDark, VariantLight}} {
		draw := func(begin Variant) (all []*image.NRGBA) {
			w, _ := newTest(t, searching(), begin)
			for _, v := range views {
				v.open(w)
			}
			w.app.Preferences().SetString(prefTheme, string(way[1]))
			w.app.Settings().SetTheme(calm{way[1]})
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

func luminance(c color.NRGBA) float64 {
	part := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	for _, name := range []Variant{VariantLight, VariantDark} {
		p := func(c fyne.ThemeColorName) color.NRGBA { return calm{name}.Color(c, 0).(color.NRGBA) }
		grounds := []color.NRGBA{p(theme.ColorNameBackground), p(theme.ColorNameOverlayBackground)}
		for i, ground := range grounds {
			for _, test := range []struct {
				what  string
				color color.NRGBA
				least float64
			}{
				{"text", p(theme.ColorNameForeground), 7}, {"muted text", p(colorMuted), 4.5},
				{"warnings", p(theme.ColorNameWarning), 4.5},
				{"outlines", p(theme.ColorNameInputBorder), 3}, {"the dot of what is ready", p(colorReady), 3},
			} {
				if got := contrast(test.color, ground); got < test.least {
					t.Errorf("%s, ground %d: %s has %.2f:1, less than %.1f:1", name, i, test.what, got, test.least)
				}
			}
		}
		for i, ground := range grounds {
			chosen := color.NRGBAModel.Convert(over(ground, p(theme.ColorNameSelection))).(color.NRGBA)
			for _, c := range []fyne.ThemeColorName{colorMuted, colorKeyword, colorString, colorNumber,
				colorName, theme.ColorNameWarning} {
				if got := contrast(p(c), chosen); got < 4.5 {
					t.Errorf("%s, ground %d: %s has %.2f:1 on a chosen row", name, i, c, got)
				}
			}
		}
		if got := contrast(p(theme.ColorNameInputBorder), p(theme.ColorNameInputBackground)); got < 3 {
			t.Errorf("%s: a box's outline has %.2f:1 to its inside", name, got)
		}
	}
}

func over(below, above color.Color) color.Color {
	r1, g1, b1, a1 := below.RGBA()
	r2, g2, b2, a2 := above.RGBA()
	mix := func(below, above uint32) uint8 { return uint8((above + below*(0xffff-a2)/0xffff) >> 8) }
	return color.RGBA{R: mix(r1, r2), G: mix(g1, g2), B: mix(b1, b2), A: mix(a1, a2)}
}

func TestCutTextIsShownWhole(t *testing.T) {
	f := busy()
	long := strings.Repeat("a-rather-long-name-", 8) + "end"
	f.status.Projects[0].Name = long
	w, _ := newTest(t, f, VariantLight)
	var row *projectRow
	for _, o := range onScreen(w) {
		if r, ok := o.(*projectRow); ok && r.row.Name == long {
			row = r
		}
	}
	if row == nil {
		t.Fatal("no row")
	}
	if end := row.name.Position().X + row.name.Size().Width; end > row.path.Position().X {
		t.Errorf("the name ends at %v, the path begins at %v", end, row.path.Position().X)
	}
	over, shown := tipOf(row.name), false
	for y := float32(60); y < 560; y += 6 { // moves across all rows
		test.MoveMouse(w.win.Canvas(), fyne.NewPos(350, y))
		shown = shown || over.text == long
	}
	if !shown {
		t.Error("not shown under the pointer")
	}
	test.MoveMouse(w.win.Canvas(), fyne.NewPos(350, 10))
	if over.text != "" {
		t.Errorf("left behind: %q", over.text)
	}
}

func TestCutTextKeepsItsLine(t *testing.T) {
	newTest(t, busy(), VariantLight)
	name, folder := strong("bash_completions_of_every_kind.go:712"), caption("cobra")
	name.keep = len(":712")
	place, drawn := container.New(beside{}, name, folder), test.WidgetRenderer(name).Objects()[0].(*canvas.Text)
	place.Resize(fyne.NewSize(200, 20))
	if got := drawn.Text; !strings.HasPrefix(got, "bash_") || !strings.HasSuffix(got, "…:712") {
		t.Errorf("cut to %q", got)
	}
	if end := folder.Position().X + folder.full(); end > 200 || end < 190 {
		t.Errorf("of 200 pixels %v are taken", end)
	}
	if place.Resize(fyne.NewSize(12, 20)); drawn.Text != "" {
		t.Errorf("%q where nothing fits", drawn.Text)
	}
}

func TestTipsLeave(t *testing.T) {
	w, _, s := newTestSearch(t, searching(), VariantLight)
	for name, do := range map[string]func(){
		"typing": func() { s.field.TypedRune('x') }, "sheet": w.showKeys, "page": func() { w.Go(PageEditors, "") },
	} {
		w.Go(PageSearch, "")
		if w.tip.wait("Match case", fyne.NewPos(10, 10)); w.tip.text == "" {
			t.Fatal("no tip")
		}
		if do(); w.tip.text != "" {
			t.Errorf("%s: %q stays", name, w.tip.text)
		}
	}
}
