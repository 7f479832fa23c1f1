package ui

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
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

const tipPause = 500 * time.Millisecond

const tipWidth = 480

// tip covers the window, ignores clicks and shows a hint below the pointer, such as the full form of a shortened text.
type tip struct {
	widget.BaseWidget
	w     *Window
	text  string
	at    fyne.Position
	round int
}

func newTip(w *Window) *tip {
	t := &tip{w: w}
	t.ExtendBaseWidget(t)
	return t
}

func tipOf(o fyne.CanvasObject) *tip {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return nil
	}
	all, ok := c.Content().(*fyne.Container)
	if !ok || len(all.Objects) == 0 {
		return nil
	}
	t, _ := all.Objects[len(all.Objects)-1].(*tip)
	return t
}

func (t *tip) wait(text string, at fyne.Position) {
	t.round++
	t.at = at
	round := t.round
	t.w.after(tipPause, func() {
		if t.round == round {
			t.show(text)
		}
	})
}

func (t *tip) show(text string) {
	if t.text != text {
		t.text = text
		t.Refresh()
	}
}

func (t *tip) leave() {
	t.round++
	t.show("")
}

func (t *tip) CreateRenderer() fyne.WidgetRenderer {
	ground, words := newFill(theme.ColorNameMenuBackground, 4), newParagraph("", theme.ColorNameForeground)
	ground.stroke(theme.ColorNameInputBorder, 1)
	place := func(size fyne.Size) {
		full := fyne.MeasureText(t.text, t.Theme().Size(theme.SizeNameText), fyne.TextStyle{}).Width + 2
		width := min(full, tipWidth, size.Width-2*gapGroup)
		words.box.Resize(fyne.NewSize(width, 0))
		height := words.box.MinSize().Height
		x := max(gapSmall, min(t.at.X, size.Width-width-2*gapSmall))
		y := t.at.Y + gapGroup
		if y+height+gapGroup > size.Height {
			y = t.at.Y - height - gapGroup
		}
		put(ground, x-gapSmall, y-4, width+2*gapSmall, height+8)
		put(words.box, x, y, width, height)
	}
	return newDrawing(t, func() fyne.Size { return fyne.Size{} }, place, func() {
		ground.Hidden, words.box.Hidden = t.text == "", t.text == ""
		words.set(t.text)
		place(t.Size())
		canvas.Refresh(t) // hidden objects can't be refreshed
	}, ground, words.box)
}

type cutArea struct {
	widget.BaseWidget
	t *text
}

var _ desktop.Hoverable = (*cutArea)(nil)

func newCutArea(t *text) *cutArea {
	a := &cutArea{t: t}
	a.ExtendBaseWidget(a)
	return a
}

func (a *cutArea) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (a *cutArea) MouseIn(e *desktop.MouseEvent) { a.MouseMoved(e) }
func (a *cutArea) MouseMoved(e *desktop.MouseEvent) {
	if t := tipOf(a.t); t != nil && t.text == "" {
		t.wait(a.t.value, e.AbsolutePosition)
	}
}
func (a *cutArea) MouseOut() {
	if t := tipOf(a.t); t != nil {
		t.leave()
	}
}
