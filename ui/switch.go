package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/present"
)

// flip is a switch with an optional label, drawn over Fyne's check.
type flip struct {
	checkbox
	focused bool
}

func newFlip(label present.Text) *flip {
	f := &flip{}
	if label != "" {
		f.Text = tr(label)
	}
	f.ExtendBaseWidget(f)
	return f
}

// FocusGained and FocusLost implement fyne.Focusable.
func (f *flip) FocusGained() { f.focused = true; f.Refresh() }
func (f *flip) FocusLost()   { f.focused = false; f.Refresh() }

// TypedKey implements fyne.Focusable.
func (f *flip) TypedKey(e *fyne.KeyEvent) {
	help(f, e)
	f.checkbox.TypedKey(e)
}

// MinSize implements fyne.CanvasObject.
func (f *flip) MinSize() fyne.Size { return f.BaseWidget.MinSize() }

// The measures of a switch: its track, and the space around its knob.
const (
	trackWidth, trackHeight = 36, 20
	knobGap                 = 3
)

// CreateRenderer implements fyne.Widget.
func (f *flip) CreateRenderer() fyne.WidgetRenderer {
	r := &flipRenderer{f: f, track: canvas.NewRectangle(color.Transparent), knob: canvas.NewCircle(color.Transparent),
		ring: canvas.NewRectangle(color.Transparent), label: plain(f.Text)}
	r.Refresh()
	return r
}

type flipRenderer struct {
	f           *flip
	track, ring *canvas.Rectangle
	knob        *canvas.Circle
	label       *text
}

func (r *flipRenderer) Destroy() {}
func (r *flipRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.knob, r.label, r.ring}
}

func (r *flipRenderer) MinSize() fyne.Size {
	size := fyne.NewSize(trackWidth, buttonHeight)
	if r.f.Text != "" {
		size.Width += gapSmall + r.label.full()
	}
	return size
}

func (r *flipRenderer) Layout(size fyne.Size) {
	top := (size.Height - trackHeight) / 2
	edge := r.track.StrokeWidth / 2 // a stroke is drawn outside
	r.track.Resize(fyne.NewSize(trackWidth-2*edge, trackHeight-2*edge))
	r.track.Move(fyne.NewPos(edge, top+edge))
	r.ring.Resize(fyne.NewSize(trackWidth+2*knobGap, trackHeight+2*knobGap))
	r.ring.Move(fyne.NewPos(-knobGap, top-knobGap))
	knob := float32(trackHeight - 2*knobGap)
	x := float32(knobGap)
	if r.f.Checked {
		x = trackWidth - knobGap - knob
	}
	r.knob.Resize(fyne.NewSize(knob, knob))
	r.knob.Move(fyne.NewPos(x, top+knobGap))
	h := r.label.MinSize().Height
	r.label.Resize(fyne.NewSize(max(0, size.Width-trackWidth-gapSmall), h))
	r.label.Move(fyne.NewPos(trackWidth+gapSmall, (size.Height-h)/2))
}

func (r *flipRenderer) Refresh() {
	f := r.f
	th, variant := f.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(c fyne.ThemeColorName) color.Color { return th.Color(c, variant) }
	track, knob := theme.ColorNamePrimary, theme.ColorNameForegroundOnPrimary
	if !f.Checked { // an outline, distinct without colour
		track, knob = theme.ColorNameBackground, theme.ColorNameInputBorder
	}
	r.track.StrokeColor, r.track.StrokeWidth = paint(theme.ColorNameInputBorder), ringWidth
	if f.Checked {
		r.track.StrokeWidth = 0
	}
	r.label.color = theme.ColorNameForeground
	if f.Disabled() {
		r.label.color = theme.ColorNameDisabled
		knob = theme.ColorNameDisabled
		track = theme.ColorNameDisabledButton
	}
	r.track.FillColor, r.track.CornerRadius, r.knob.FillColor = paint(track), trackHeight/2, paint(knob)
	r.ring.StrokeWidth, r.ring.StrokeColor, r.ring.CornerRadius = 0, color.Transparent, trackHeight/2+knobGap
	if f.focused {
		r.ring.StrokeWidth, r.ring.StrokeColor = ringWidth, paint(colorRing)
	}
	r.Layout(f.Size())
	r.label.Refresh()
	for _, o := range []fyne.CanvasObject{r.track, r.knob, r.ring} {
		canvas.Refresh(o)
	}
}
