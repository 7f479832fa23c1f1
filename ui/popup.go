package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// popup is a panel with rounded corners and a shadow above the canvas. A click outside closes it. A popup without
// closed is a dialog and dims the content below.
type popup struct {
	widget.BaseWidget
	content fyne.CanvasObject
	onto    fyne.Canvas
	closed  func()
	at      fyne.Position
	inner   fyne.Size // zero: centred, at its minimum size
}

var _ fyne.Tappable = (*popup)(nil)

// newPopup makes a panel, which beside or centre shows.
func newPopup(content fyne.CanvasObject, onto fyne.Canvas, closed func()) *popup {
	p := &popup{content: content, onto: onto, closed: closed}
	p.ExtendBaseWidget(p)
	return p
}

// Tapped and TappedSecondary handle clicks outside the panel.
func (p *popup) Tapped(*fyne.PointEvent) {
	if p.closed != nil {
		p.closed()
	}
}
func (p *popup) TappedSecondary(e *fyne.PointEvent) { p.Tapped(e) }

// Scrolled blocks scrolling of the content below.
func (*popup) Scrolled(*fyne.ScrollEvent) {}

func (p *popup) show() {
	p.Resize(p.onto.Size())
	p.Refresh()
	if p.onto.Overlays().Top() != fyne.CanvasObject(p) {
		p.onto.Overlays().Add(p)
	}
}

// away removes the panel.
func (p *popup) away() { p.onto.Overlays().Remove(p) }

// centre shows the panel in the middle at its minimum size, measured twice for wrapped text.
func (p *popup) centre() {
	p.show()
	p.Refresh()
}

// beside shows the panel below an object, or above it if that side has more space.
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

// showMenu opens a menu below an object.
func showMenu(m *fyne.Menu, below fyne.CanvasObject) {
	onto := fyne.CurrentApp().Driver().CanvasForObject(below)
	if onto == nil {
		return
	}
	var p *popup
	separator := func(i int) bool { return m.Items[i].IsSeparator }
	l := newPickList(choiceHeight, func() int { return len(m.Items) },
		func() fyne.CanvasObject { return pad(0, 0, gapSmall, gapSmall, centred(plain(""))) },
		func(i int, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects[0].(*fyne.Container).Objects[0].(*text).set(m.Items[i].Label)
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

// CreateRenderer implements fyne.Widget.
func (p *popup) CreateRenderer() fyne.WidgetRenderer {
	r := &popupRenderer{p: p, veil: newFill(colorVeil, 0)}
	for range shadowSteps {
		s := canvas.NewRectangle(color.Transparent)
		r.shadow = append(r.shadow, s)
	}
	r.ground = canvas.NewRectangle(color.Transparent)
	r.panel = newTapArea(r.ground, nil) // consumes clicks on the panel
	r.Refresh()
	return r
}

// The shadow consists of translucent rectangles of growing size, moved downwards.
const (
	shadowSteps = 6
	shadowStep  = 3
	shadowFall  = 4
	panelRadius = 10
)

type popupRenderer struct {
	p      *popup
	veil   *fill
	shadow []fyne.CanvasObject
	ground *canvas.Rectangle
	panel  *tapArea
}

func (r *popupRenderer) Destroy()           {}
func (r *popupRenderer) MinSize() fyne.Size { return fyne.Size{} }
func (r *popupRenderer) Objects() []fyne.CanvasObject {
	return append(append([]fyne.CanvasObject{r.veil}, r.shadow...), r.panel, r.p.content)
}

func (r *popupRenderer) Layout(size fyne.Size) {
	p := r.p
	at, inner, edge := p.at, p.inner, float32(gapSmall)
	if p.closed == nil {
		edge = 0 // a dialog has its own
	}
	if inner.IsZero() {
		m := p.content.MinSize()
		p.content.Resize(m) // wrapped text has its height only after its width
		inner = p.content.MinSize().Min(size)
		at = fyne.NewPos((size.Width-inner.Width)/2, (size.Height-inner.Height)/2)
	}
	r.veil.Hidden = p.closed != nil
	r.veil.Resize(size)
	for i, s := range r.shadow {
		grow := float32(shadowSteps-i) * shadowStep
		s.Resize(inner.AddWidthHeight(2*grow, 2*grow))
		s.Move(at.SubtractXY(grow, grow-shadowFall))
		s.(*canvas.Rectangle).CornerRadius = panelRadius + grow
	}
	r.panel.Resize(inner)
	r.panel.Move(at)
	p.content.Resize(inner.SubtractWidthHeight(2*edge, 2*edge))
	p.content.Move(at.AddXY(edge, edge))
}

func (r *popupRenderer) Refresh() {
	th, variant := r.p.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	for _, s := range r.shadow {
		s.(*canvas.Rectangle).FillColor = th.Color(colorShade, variant)
	}
	r.ground.FillColor, r.ground.CornerRadius = th.Color(theme.ColorNameOverlayBackground, variant), panelRadius
	r.ground.StrokeColor, r.ground.StrokeWidth = th.Color(theme.ColorNameSeparator, variant), 1
	r.veil.Refresh()
	r.Layout(r.p.Size())
	canvas.Refresh(r.p)
}
