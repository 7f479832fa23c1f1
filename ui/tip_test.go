package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

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
