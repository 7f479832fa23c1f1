package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestButtonLabelIsCut(t *testing.T) {
	newTest(t, searching(), VariantLight) // sets the theme
	const whole = "ORunner.scala › ORunner › renderUsage › renderTwoColumnsUsage"
	b := link(whole, func() {})
	r := test.WidgetRenderer(b).(*buttonRenderer)
	drawn := func() string { return test.WidgetRenderer(r.label).(*textRenderer).drawn.Text }
	for _, width := range []float32{120, b.MinSize().Width, 200, 900} {
		b.Resize(fyne.NewSize(width, buttonHeight))
		left, right := r.label.Position().X, r.label.Position().X+r.label.Size().Width
		if left < 0 || right > width {
			t.Errorf("%v wide: the label goes from %v to %v", width, left, right)
		}
		if cut := strings.HasSuffix(drawn(), "…"); cut != (width < b.MinSize().Width) {
			t.Errorf("%v wide: %q", width, drawn())
		}
	}
}
