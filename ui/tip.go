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
