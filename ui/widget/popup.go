package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

var options fyne.CanvasObject

func CloseOptions() {
	if options != nil {
		options.Hide()
		options = nil
	}
}

// showBeside shows content below o, or above o if there is more space.
func showBeside(o, content fyne.CanvasObject, onto fyne.Canvas, width, height float32) {
	pos, all := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), onto.Size()
	height += GapSmall
	below := all.Height - pos.Y - o.Size().Height - GapSmall
	y := pos.Y + o.Size().Height + 2
	if above := pos.Y - GapSmall; below < height && above > below {
		height = min(height, above)
		y = pos.Y - height - 2
	} else {
		height = min(height, below)
	}
	p := widget.NewPopUp(content, onto)
	p.Resize(fyne.NewSize(width, height))
	p.ShowAtPosition(fyne.NewPos(max(GapSmall, min(pos.X, all.Width-width-GapSmall)), y))
	options = p
}

func ShowMenu(m *fyne.Menu, below fyne.CanvasObject) {
	if onto := fyne.CurrentApp().Driver().CanvasForObject(below); onto != nil {
		p := widget.NewPopUpMenu(m, onto)
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(below).AddXY(0, below.Size().Height+2)
		// Leave a gap for the shadow.
		most := onto.Size().Subtract(p.MinSize()).SubtractWidthHeight(GapSmall, GapSmall)
		p.ShowAtPosition(fyne.NewPos(min(at.X, most.Width), min(at.Y, most.Height)))
		options = p
	}
}

// fence is an invisible control at the end of a group. It moves the focus to the other end of the group.
type fence struct {
	glass
	other   *fence
	move    func(fyne.Canvas)
	passing bool // the other fence is moving the focus; ignore it
}

// Fenced returns o between two fences, which keep the Tab key in o.
func Fenced(o fyne.CanvasObject) fyne.CanvasObject {
	start, end := extended(&fence{move: fyne.Canvas.FocusPrevious}), extended(&fence{move: fyne.Canvas.FocusNext})
	start.other, end.other = end, start
	return container.NewStack(container.NewWithoutLayout(start), o, container.NewWithoutLayout(end))
}

func (f *fence) FocusGained() {
	c := fyne.CurrentApp().Driver().CanvasForObject(f)
	if f.passing || c == nil {
		return
	}
	f.other.passing = true
	c.Focus(f.other)
	f.other.passing = false
	f.move(c)
}

func (f *fence) FocusLost()              {}
func (f *fence) TypedRune(rune)          {}
func (f *fence) TypedKey(*fyne.KeyEvent) {}

const PanelRadius = 10

func NewDialog(content fyne.CanvasObject) *fyne.Container {
	ground := NewFill(theme.ColorNameOverlayBackground, PanelRadius)
	ground.stroke(theme.ColorNameSeparator, 1)
	return container.NewStack(NewTapArea(NewFill(colorVeil, 0), nil),
		container.NewCenter(container.NewStack(ground, content)))
}

type tapArea struct {
	widget.BaseWidget
	content fyne.CanvasObject
	tapped  func()
	Moved   func()
}

func NewTapArea(content fyne.CanvasObject, tapped func()) *tapArea {
	return extended(&tapArea{content: content, tapped: tapped})
}

func (t *tapArea) Inner() fyne.CanvasObject            { return t.content }
func (t *tapArea) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.content) }

func (t *tapArea) Tapped(*fyne.PointEvent) {
	if t.tapped != nil {
		t.tapped()
	}
}

func (t *tapArea) MouseIn(e *desktop.MouseEvent) { t.MouseMoved(e) }
func (t *tapArea) MouseOut()                     {}

func (t *tapArea) MouseMoved(*desktop.MouseEvent) {
	if t.Moved != nil {
		t.Moved()
	}
}
