package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// popup is a panel above the canvas. A click outside calls closed. If closed is nil, the popup is a dialog and dims the
// content below.
type popup struct {
	widget.BaseWidget
	content fyne.CanvasObject
	onto    fyne.Canvas
	closed  func()
	at      fyne.Position
	inner   fyne.Size // zero for a centred panel of minimum size
}

var _ fyne.Tappable = (*popup)(nil)

func newPopup(content fyne.CanvasObject, onto fyne.Canvas, closed func()) *popup {
	p := &popup{content: content, onto: onto, closed: closed}
	p.ExtendBaseWidget(p)
	return p
}

func (p *popup) Tapped(*fyne.PointEvent) {
	if p.closed != nil {
		p.closed()
	}
}
func (p *popup) TappedSecondary(e *fyne.PointEvent) { p.Tapped(e) }

func (*popup) Scrolled(*fyne.ScrollEvent) {}

func (p *popup) show() {
	p.Resize(p.onto.Size())
	p.Refresh()
	if p.onto.Overlays().Top() != fyne.CanvasObject(p) {
		p.onto.Overlays().Add(p)
	}
}

func (p *popup) away() { p.onto.Overlays().Remove(p) }

// centre shows the panel in the middle at its minimum size. Wrapped text needs two passes.
func (p *popup) centre() {
	p.show()
	p.Refresh()
}

func (p *popup) beside(o fyne.CanvasObject, width, height float32) {
	pos, all := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), p.onto.Size()
	height += 2 * gapSmall
	below := all.Height - pos.Y - o.Size().Height - gapSmall
	y := pos.Y + o.Size().Height + 2
	if above := pos.Y - gapSmall; below < height && above > below {
		height = min(height, above)
		y = pos.Y - height - 2
	} else {
		height = min(height, below)
	}
	p.at, p.inner = fyne.NewPos(max(gapSmall, min(pos.X, all.Width-width-gapSmall)), y), fyne.NewSize(width, height)
	p.show()
}

const menuWidth = 200

func showMenu(m *fyne.Menu, below fyne.CanvasObject) {
	onto := fyne.CurrentApp().Driver().CanvasForObject(below)
	if onto == nil {
		return
	}
	var p *popup
	separator := func(i int) bool { return m.Items[i].IsSeparator }
	l := newPickList(choiceHeight, func() int { return len(m.Items) },
		func() fyne.CanvasObject { return pad((choiceHeight-20)/2, 0, gapSmall, gapSmall, plain("")) },
		func(i int, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects[0].(*text).set(m.Items[i].Label)
		})
	l.height = func(i int) float32 {
		if separator(i) {
			return gapSmall
		}
		return choiceHeight
	}
	l.stops = func(i int) bool { return !separator(i) }
	l.escape = func() { p.away() }
	pick := func() {
		p.away()
		m.Items[l.at].Action()
	}
	l.picked = pick
	l.clicked = func(i int) {
		if !separator(i) {
			pick()
		}
	}
	width, height := float32(menuWidth), float32(0)
	for i, item := range m.Items {
		width = max(width, plain(item.Label).full()+4*gapSmall)
		height += l.height(i)
	}
	p = newPopup(l, onto, l.escape)
	l.Refresh()
	p.beside(below, width, height)
	onto.Focus(l)
}

const (
	shadowSteps = 6
	shadowStep  = 3
	shadowFall  = 4
	panelRadius = 10
)

func (p *popup) CreateRenderer() fyne.WidgetRenderer {
	veil, ground := newFill(colorVeil, 0), newFill(theme.ColorNameOverlayBackground, panelRadius)
	ground.stroke(theme.ColorNameSeparator, 1)
	panel, objects := newTapArea(ground, nil), []fyne.CanvasObject{veil} // so that clicks on the panel do not close it
	for i := range shadowSteps {
		objects = append(objects, newFill(colorShade, panelRadius+float32(shadowSteps-i)*shadowStep))
	}
	place := func(size fyne.Size) {
		at, inner, edge := p.at, p.inner, float32(gapSmall)
		if p.closed == nil {
			edge = 0 // a dialog has its own padding
		}
		if inner.IsZero() {
			p.content.Resize(p.content.MinSize()) // the height of wrapped text depends on its width
			inner = p.content.MinSize().Min(size)
			at = fyne.NewPos((size.Width-inner.Width)/2, (size.Height-inner.Height)/2)
		}
		veil.Resize(size)
		for i, s := range objects[1 : shadowSteps+1] {
			grow := float32(shadowSteps-i) * shadowStep
			put(s, at.X-grow, at.Y-grow+shadowFall, inner.Width+2*grow, inner.Height+2*grow)
		}
		put(panel, at.X, at.Y, inner.Width, inner.Height)
		put(p.content, at.X+edge, at.Y+edge, inner.Width-2*edge, inner.Height-2*edge)
	}
	return newDrawing(p, func() fyne.Size { return fyne.Size{} }, place, func() {
		veil.Hidden = p.closed != nil
		place(p.Size())
		canvas.Refresh(p)
	}, append(objects, panel, p.content)...)
}

type tapArea struct {
	widget.BaseWidget
	content fyne.CanvasObject
	tapped  func()
	moved   func()
}

var _ desktop.Hoverable = (*tapArea)(nil)

func newTapArea(content fyne.CanvasObject, tapped func()) *tapArea {
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
	if t.moved != nil {
		t.moved()
	}
}
