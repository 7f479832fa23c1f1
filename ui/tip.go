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

// tipPause is the delay of a tip, as on desktops.
const tipPause = 500 * time.Millisecond

// tipWidth is the greatest width of a tip.
const tipWidth = 480

// tip lies over the window, ignores clicks and shows a hint below the pointer, such as a shortened text.
type tip struct {
	widget.BaseWidget
	w     *Window
	text  string
	at    fyne.Position
	round int // of the newest text
}

func newTip(w *Window) *tip {
	t := &tip{w: w}
	t.ExtendBaseWidget(t)
	return t
}

// tipOf returns the tip layer of an object's window, or nil.
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

// rest shows a text after tipPause.
func (t *tip) rest(text string, at fyne.Position) {
	t.round++
	t.at = at
	if t.w.opts.Inline {
		t.show(text)
		return
	}
	round := t.round
	t.w.background(func() {
		select {
		case <-time.After(tipPause):
			t.w.onUI(func() {
				if t.round == round {
					t.show(text)
				}
			})
		case <-t.w.ctx.Done():
		}
	})
}

// show shows a text, or hides the tip for "".
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

// CreateRenderer implements fyne.Widget.
func (t *tip) CreateRenderer() fyne.WidgetRenderer {
	r := &tipRenderer{t: t, ground: canvas.NewRectangle(color.Transparent), words: newParagraph("",
		theme.ColorNameForeground)}
	r.Refresh()
	return r
}

type tipRenderer struct {
	t      *tip
	ground *canvas.Rectangle
	words  *paragraph
}

func (r *tipRenderer) Destroy()           {}
func (r *tipRenderer) MinSize() fyne.Size { return fyne.Size{} }
func (r *tipRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.words.box}
}

func (r *tipRenderer) Layout(size fyne.Size) {
	if r.t.text == "" {
		return
	}
	th := r.t.Theme()
	full := fyne.MeasureText(r.t.text, th.Size(theme.SizeNameText), fyne.TextStyle{}).Width + 2
	width := min(full, tipWidth, size.Width-2*gapGroup)
	r.words.box.Resize(fyne.NewSize(width, 0))
	height := r.words.box.MinSize().Height
	x := max(gapSmall, min(r.t.at.X, size.Width-width-2*gapSmall))
	y := r.t.at.Y + gapGroup
	if y+height+gapGroup > size.Height {
		y = r.t.at.Y - height - gapGroup
	}
	r.ground.Move(fyne.NewPos(x-gapSmall, y-4))
	r.ground.Resize(fyne.NewSize(width+2*gapSmall, height+8))
	r.words.box.Move(fyne.NewPos(x, y))
	r.words.box.Resize(fyne.NewSize(width, height))
}

func (r *tipRenderer) Refresh() {
	th, variant := r.t.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.ground.FillColor, r.ground.CornerRadius = th.Color(theme.ColorNameMenuBackground, variant), 4
	r.ground.StrokeColor, r.ground.StrokeWidth = th.Color(theme.ColorNameInputBorder, variant), 1
	r.ground.Hidden = r.t.text == ""
	if r.t.text == "" {
		r.words.box.Hide()
	} else {
		r.words.set(r.t.text)
		r.words.box.Show()
	}
	r.Layout(r.t.Size())
	canvas.Refresh(r.t) // a hidden object has no canvas to refresh
}

// cutArea lies over a shortened text and shows the whole text on hover.
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

// CreateRenderer implements fyne.Widget.
func (a *cutArea) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

// MouseIn and the following methods implement desktop.Hoverable.
func (a *cutArea) MouseIn(e *desktop.MouseEvent) { a.MouseMoved(e) }
func (a *cutArea) MouseMoved(e *desktop.MouseEvent) {
	if t := tipOf(a.t); t != nil && t.text == "" {
		t.rest(a.t.value, e.AbsolutePosition)
	}
}
func (a *cutArea) MouseOut() {
	if t := tipOf(a.t); t != nil {
		t.leave()
	}
}
