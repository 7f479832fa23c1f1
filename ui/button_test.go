package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
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
