package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestCutTextIsShownWhole: a name that does not fit is cut, stays clear of what is beside it, and is shown whole under
// the pointer.
func TestCutTextIsShownWhole(t *testing.T) {
	f := busy()
	long := strings.Repeat("a-rather-long-name-", 8) + "end"
	f.status.Projects[0].Name = long
	w, _ := newTest(t, f, VariantLight)
	var row *projectRow
	for _, o := range test.LaidOutObjects(w.Win().Content()) {
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
	for y := float32(60); y < 560; y += 6 { // down across all rows
		test.MoveMouse(w.Win().Canvas(), fyne.NewPos(350, y))
		shown = shown || over.text == long
	}
	if !shown {
		t.Error("not shown under the pointer")
	}
	test.MoveMouse(w.Win().Canvas(), fyne.NewPos(350, 10))
	if over.text != "" {
		t.Errorf("left behind: %q", over.text)
	}
}
