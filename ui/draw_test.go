package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

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
