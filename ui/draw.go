package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type drawing struct {
	objects []fyne.CanvasObject
	min     func() fyne.Size
	place   func(size fyne.Size)
	paint   func()
}

// newDrawing makes a renderer and places its objects. Fyne drops the renderers of hidden widgets, and does not call
// Layout on the new renderer of a widget that already has its size.
func newDrawing(w fyne.Widget, min func() fyne.Size, place func(fyne.Size), paint func(),
	objects ...fyne.CanvasObject) *drawing {
	paint()
	place(w.Size())
	return &drawing{objects, min, place, paint}
}

func (*drawing) Destroy()                       {}
func (d *drawing) Objects() []fyne.CanvasObject { return d.objects }
func (d *drawing) MinSize() fyne.Size           { return d.min() }
func (d *drawing) Layout(size fyne.Size)        { d.place(size) }
func (d *drawing) Refresh()                     { d.paint() }

func shade(c fyne.ThemeColorName) color.Color {
	if c == "" {
		return color.Transparent
	}
	s := fyne.CurrentApp().Settings()
	return s.Theme().Color(c, s.ThemeVariant())
}

type fill struct {
	widget.BaseWidget
	color, outline fyne.ThemeColorName
	radius, width  float32
}

func newFill(c fyne.ThemeColorName, radius float32) *fill {
	f := &fill{color: c, radius: radius}
	f.ExtendBaseWidget(f)
	return f
}

func (f *fill) paint(c fyne.ThemeColorName) {
	if f.color != c {
		f.color = c
		f.Refresh()
	}
}

func (f *fill) stroke(c fyne.ThemeColorName, width float32) {
	if f.outline != c || f.width != width {
		f.outline, f.width = c, width
		f.Refresh()
	}
}

func (f *fill) ring(focused bool) {
	if focused {
		f.stroke(colorRing, ringWidth)
	} else {
		f.stroke("", 0)
	}
}

func (f *fill) CreateRenderer() fyne.WidgetRenderer {
	rect := canvas.NewRectangle(nil)
	return newDrawing(f, func() fyne.Size { return fyne.Size{} }, rect.Resize, func() {
		rect.FillColor, rect.CornerRadius = shade(f.color), f.radius
		rect.StrokeColor, rect.StrokeWidth = shade(f.outline), f.width
		canvas.Refresh(rect)
	}, rect)
}

type bar struct {
	widget.BaseWidget
	share float64
	color fyne.ThemeColorName
}

func newBar() *bar {
	b := &bar{share: -1, color: theme.ColorNamePrimary}
	b.ExtendBaseWidget(b)
	return b
}

func (b *bar) set(share float64) {
	if b.share != share {
		b.share = share
		b.Refresh()
	}
}

const barHeight = 4

func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	track, done := newFill(colorTrack, barHeight/2), newFill(b.color, barHeight/2)
	place := func(size fyne.Size) {
		y := (size.Height - barHeight) / 2
		put(track, 0, y, size.Width, barHeight)
		put(done, 0, y, size.Width*float32(b.share), barHeight)
	}
	return newDrawing(b, func() fyne.Size { return fyne.NewSize(0, barHeight) }, place, func() {
		track.Hidden, done.Hidden = b.share < 0, b.share <= 0
		done.paint(b.color)
		place(b.Size())
		canvas.Refresh(b)
	}, track, done)
}
