package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Popup is a panel above the canvas. A click outside calls closed. If closed is nil, the popup is a dialog and dims the
// content below.
type Popup struct {
	widget.BaseWidget
	Content fyne.CanvasObject
	onto    fyne.Canvas
	closed  func()
	at      fyne.Position
	inner   fyne.Size // zero for a centred panel of minimum size
}

func NewPopup(content fyne.CanvasObject, onto fyne.Canvas, closed func()) *Popup {
	p := &Popup{Content: content, onto: onto, closed: closed}
	p.ExtendBaseWidget(p)
	return p
}

func (p *Popup) Tapped(*fyne.PointEvent) {
	if p.closed != nil {
		p.closed()
	}
}

func (p *Popup) TappedSecondary(e *fyne.PointEvent) { p.Tapped(e) }
func (*Popup) Scrolled(*fyne.ScrollEvent)           {}

func (p *Popup) show() {
	p.Resize(p.onto.Size())
	p.Refresh()
	if p.onto.Overlays().Top() != fyne.CanvasObject(p) {
		p.onto.Overlays().Add(p)
	}
}

// CloseOptions closes the options or the menu above the canvas, if any.
func CloseOptions(onto fyne.Canvas) {
	if p, is := onto.Overlays().Top().(*Popup); is && p.closed != nil {
		p.closed()
	}
}

func (p *Popup) Remove() { p.onto.Overlays().Remove(p) }

// Centre shows the panel in the middle at its minimum size. Wrapped text needs two passes.
func (p *Popup) Centre() {
	p.show()
	p.Refresh()
}

func (p *Popup) beside(o fyne.CanvasObject, width, height float32) {
	pos, all := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), p.onto.Size()
	height += 2 * GapSmall
	below := all.Height - pos.Y - o.Size().Height - GapSmall
	y := pos.Y + o.Size().Height + 2
	if above := pos.Y - GapSmall; below < height && above > below {
		height = min(height, above)
		y = pos.Y - height - 2
	} else {
		height = min(height, below)
	}
	p.at, p.inner = fyne.NewPos(max(GapSmall, min(pos.X, all.Width-width-GapSmall)), y), fyne.NewSize(width, height)
	p.show()
}

const menuWidth = 200

func ShowMenu(m *fyne.Menu, below fyne.CanvasObject) {
	onto := fyne.CurrentApp().Driver().CanvasForObject(below)
	if onto == nil {
		return
	}
	var p *Popup
	separator := func(i int) bool { return m.Items[i].IsSeparator }
	l := NewList(ChoiceHeight, func() int { return len(m.Items) },
		func() fyne.CanvasObject { return Pad((ChoiceHeight-20)/2, 0, GapSmall, GapSmall, Plain("")) },
		func(i int, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects[0].(*Text).Set(m.Items[i].Label)
		})
	l.Height = func(i int) float32 {
		if separator(i) {
			return GapSmall
		}
		return ChoiceHeight
	}
	l.Stops = func(i int) bool { return !separator(i) }
	l.Escape = func() { p.Remove() }
	pick := func() {
		p.Remove()
		m.Items[l.At].Action()
	}
	l.Picked = pick
	l.Clicked = func(i int) {
		if !separator(i) {
			pick()
		}
	}
	width, height := float32(menuWidth), float32(0)
	for i, item := range m.Items {
		width = max(width, Plain(item.Label).Full()+4*GapSmall)
		height += l.Height(i)
	}
	p = NewPopup(l, onto, l.Escape)
	l.Refresh()
	p.beside(below, width, height)
	onto.Focus(l)
}

const (
	shadowSteps = 6
	shadowStep  = 3
	shadowFall  = 4
	PanelRadius = 10
)

func (p *Popup) CreateRenderer() fyne.WidgetRenderer {
	veil, ground := NewFill(colorVeil, 0), NewFill(theme.ColorNameOverlayBackground, PanelRadius)
	ground.stroke(theme.ColorNameSeparator, 1)
	panel, objects := NewTapArea(ground, nil), []fyne.CanvasObject{veil} // so that clicks on the panel do not close it
	for i := range shadowSteps {
		objects = append(objects, NewFill(colorShade, PanelRadius+float32(shadowSteps-i)*shadowStep))
	}
	place := func(size fyne.Size) {
		at, inner, edge := p.at, p.inner, float32(GapSmall)
		if p.closed == nil {
			edge = 0 // a dialog has its own padding
		}
		if inner.IsZero() {
			p.Content.Resize(p.Content.MinSize()) // the height of wrapped text depends on its width
			inner = p.Content.MinSize().Min(size)
			at = fyne.NewPos((size.Width-inner.Width)/2, (size.Height-inner.Height)/2)
		}
		veil.Resize(size)
		for i, s := range objects[1 : shadowSteps+1] {
			grow := float32(shadowSteps-i) * shadowStep
			Place(s, at.X-grow, at.Y-grow+shadowFall, inner.Width+2*grow, inner.Height+2*grow)
		}
		Place(panel, at.X, at.Y, inner.Width, inner.Height)
		Place(p.Content, at.X+edge, at.Y+edge, inner.Width-2*edge, inner.Height-2*edge)
	}
	return newDrawing(p, func() fyne.Size { return fyne.Size{} }, place, func() {
		veil.Hidden = p.closed != nil
		place(p.Size())
		canvas.Refresh(p)
	}, append(objects, panel, p.Content)...)
}

type tapArea struct {
	widget.BaseWidget
	content fyne.CanvasObject
	tapped  func()
	Moved   func()
}

func NewTapArea(content fyne.CanvasObject, tapped func()) *tapArea {
	t := &tapArea{content: content, tapped: tapped}
	t.ExtendBaseWidget(t)
	return t
}

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
