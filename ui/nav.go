package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// navItem is a button of the sidebar.
type navItem struct {
	widget.BaseWidget
	label   string
	icon    fyne.Resource
	tapped  func()
	step    func(by int) // moves the focus by by items
	chosen  bool
	focused bool
	hovered bool
	narrow  bool // its name is below the icon
}

// set changes label and icon.
func (n *navItem) set(label string, icon fyne.Resource) {
	if n.label != label || n.icon != icon {
		n.label, n.icon = label, icon
		n.Refresh()
	}
}

func newNavItem(label string, icon fyne.Resource, tapped func()) *navItem {
	n := &navItem{label: label, icon: icon, tapped: tapped}
	n.ExtendBaseWidget(n)
	return n
}

func (n *navItem) choose(on bool) {
	if n.chosen != on {
		n.chosen = on
		n.Refresh()
	}
}

func (n *navItem) Tapped(*fyne.PointEvent) { n.tapped() }
func (n *navItem) FocusGained()            { n.focused = true; n.Refresh() }
func (n *navItem) FocusLost()              { n.focused = false; n.Refresh() }
func (n *navItem) TypedRune(rune)          {}
func (n *navItem) MouseIn(*desktop.MouseEvent) {
	n.hovered = true
	n.Refresh()
}
func (n *navItem) MouseMoved(*desktop.MouseEvent) {}
func (n *navItem) MouseOut() {
	n.hovered = false
	n.Refresh()
}
func (n *navItem) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		n.tapped()
	case fyne.KeyDown:
		n.step(1)
	case fyne.KeyUp:
		n.step(-1)
	}
}

// CreateRenderer implements fyne.Widget.
func (n *navItem) CreateRenderer() fyne.WidgetRenderer {
	r := &navRenderer{n: n, ground: newFill(colorSidebar, 6), ring: canvas.NewRectangle(nil),
		icon: widget.NewIcon(n.icon), label: plain(n.label)}
	r.Refresh()
	return r
}

type navRenderer struct {
	n      *navItem
	ground *fill
	ring   *canvas.Rectangle
	icon   *widget.Icon
	label  *text
}

func (r *navRenderer) Destroy() {}
func (r *navRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.ring, r.icon, r.label}
}
func (r *navRenderer) MinSize() fyne.Size {
	if r.n.narrow {
		return fyne.NewSize(40, 50)
	}
	return fyne.NewSize(40, 36)
}

func (r *navRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.ring.Resize(size)
	r.icon.Resize(fyne.NewSize(18, 18))
	h := r.label.MinSize().Height
	if r.n.narrow { // the name below the icon
		r.icon.Move(fyne.NewPos((size.Width-18)/2, 6))
		r.label.align, r.label.size = fyne.TextAlignCenter, theme.SizeNameCaptionText
		r.label.Resize(fyne.NewSize(size.Width, h))
		r.label.Move(fyne.NewPos(0, 27))
		r.label.Refresh()
		return
	}
	r.label.align, r.label.size = fyne.TextAlignLeading, theme.SizeNameText
	r.label.Refresh()
	r.icon.Move(fyne.NewPos(12, (size.Height-18)/2))
	r.label.Resize(fyne.NewSize(size.Width-40-gapSmall, h))
	r.label.Move(fyne.NewPos(40, (size.Height-h)/2))
}

func (r *navRenderer) Refresh() {
	th, variant := r.n.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	switch {
	case r.n.chosen:
		r.ground.color = colorChosen
	case r.n.hovered:
		r.ground.color = theme.ColorNameHover
	default:
		r.ground.color = colorSidebar
	}
	r.ground.Refresh()
	r.ring.FillColor = nil
	r.ring.CornerRadius, r.ring.StrokeWidth = 6, 0
	if r.n.focused {
		r.ring.StrokeWidth, r.ring.StrokeColor = 2, th.Color(colorRing, variant)
	}
	canvas.Refresh(r.ring)
	r.label.style.Bold, r.label.value = r.n.chosen, r.n.label
	r.label.Refresh()
	r.icon.SetResource(r.n.icon)
	r.Layout(r.n.Size())
}

// tapArea catches taps and, if requested, the pointer: the background of a dialog or sheet, and the scrim around it.
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

// CreateRenderer implements fyne.Widget.
func (t *tapArea) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.content) }

// Tapped implements fyne.Tappable.
func (t *tapArea) Tapped(*fyne.PointEvent) {
	if t.tapped != nil {
		t.tapped()
	}
}

// MouseIn and the following methods implement desktop.Hoverable.
func (t *tapArea) MouseIn(e *desktop.MouseEvent) { t.MouseMoved(e) }
func (t *tapArea) MouseOut()                     {}
func (t *tapArea) MouseMoved(*desktop.MouseEvent) {
	if t.moved != nil {
		t.moved()
	}
}
