package ui

import (
	"cmp"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

// tone is the emphasis of a button.
type tone int

// The tones are, in order: ordinary, the main action, destructive, leading to a destructive action, an accent-coloured
// link, a tool without background, a chosen option with an outline, and in a highlighted row.
const (
	toneOrdinary tone = iota
	toneMain
	toneDanger
	toneWarn
	toneLink
	toneTool
	toneChosen
	toneRow
)

// inRow returns the tone of a button in a row.
func inRow(chosen bool) tone {
	if chosen {
		return toneRow
	}
	return toneOrdinary
}

// button handles Space and Enter, and calls escape for Escape. A ring shows the focus.
type button struct {
	widget.DisableableWidget
	Text     string
	Icon     fyne.Resource
	OnTapped func()
	tone     tone
	escape   func()
	tip      string // for a button with only an icon; "" means the text
	guard    *guard // nil: keys act at once

	focused, hovered, pressed bool
}

var (
	_ fyne.Focusable    = (*button)(nil)
	_ fyne.Tappable     = (*button)(nil)
	_ desktop.Hoverable = (*button)(nil)
	_ desktop.Mouseable = (*button)(nil)
)

func newButton(label present.Text, tapped func()) *button {
	b := &button{Text: tr(label), OnTapped: tapped}
	b.ExtendBaseWidget(b)
	return b
}

func primary(label present.Text, tapped func()) *button { return newButton(label, tapped).as(toneMain) }

func link(label present.Text, tapped func()) *button { return newButton(label, tapped).as(toneLink) }

func iconButton(icon fyne.Resource, tapped func()) *button {
	return newButton("", tapped).as(toneTool).with(icon)
}

// as sets the tone.
func (b *button) as(t tone) *button {
	b.setTone(t)
	return b
}

// with sets an icon before the text.
func (b *button) with(icon fyne.Resource) *button {
	b.set(b.Text, icon)
	return b
}

// set changes text and icon.
func (b *button) set(text string, icon fyne.Resource) {
	if b.Text != text || b.Icon != icon {
		b.Text, b.Icon = text, icon
		b.Refresh()
	}
}

func (b *button) setTone(t tone) {
	if b.tone != t {
		b.tone = t
		b.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (b *button) Tapped(*fyne.PointEvent) {
	if !b.Disabled() && b.OnTapped != nil {
		b.OnTapped()
	}
}

// FocusGained and the following methods implement fyne.Focusable, desktop.Hoverable and desktop.Mouseable.
func (b *button) FocusGained() {
	if b.guard != nil {
		b.guard.tab = b.guard.w.now()
	}
	b.focused = true
	b.Refresh()
}
func (b *button) FocusLost() { b.focused = false; b.Refresh() }
func (b *button) TypedRune(rune) {
	if b.guard != nil {
		b.guard.typed("")
	}
}
func (b *button) MouseIn(e *desktop.MouseEvent) {
	b.hovered = true
	b.Refresh()
	if t := tipOf(b); t != nil && (b.tip != "" || b.pictured()) {
		t.rest(cmp.Or(b.tip, b.Text), e.AbsolutePosition)
	}
}
func (b *button) MouseMoved(*desktop.MouseEvent) {}
func (b *button) MouseOut() {
	b.hovered, b.pressed = false, false
	b.Refresh()
	if t := tipOf(b); t != nil {
		t.leave()
	}
}
func (b *button) MouseDown(*desktop.MouseEvent) { b.pressed = true; b.Refresh() }
func (b *button) MouseUp(*desktop.MouseEvent)   { b.pressed = false; b.Refresh() }
func (b *button) TypedKey(e *fyne.KeyEvent) {
	if b.guard != nil && !b.guard.typed(e.Name) {
		return
	}
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	case fyne.KeyEscape:
		if b.escape != nil {
			b.escape()
		}
	default:
		help(b, e)
	}
}

// pictured reports whether only the icon fits.
func (b *button) pictured() bool { return b.Icon != nil && b.Size().Width < 2*buttonHeight }

// MinSize implements fyne.CanvasObject.
func (b *button) MinSize() fyne.Size {
	b.ExtendBaseWidget(b)
	return b.BaseWidget.MinSize()
}

// CreateRenderer implements fyne.Widget.
func (b *button) CreateRenderer() fyne.WidgetRenderer {
	r := &buttonRenderer{b: b, ground: canvas.NewRectangle(color.Transparent),
		ring: canvas.NewRectangle(color.Transparent),
		icon: widget.NewIcon(nil), label: newText("", theme.SizeNameText, theme.ColorNameForeground)}
	r.Refresh()
	return r
}

const (
	buttonHeight = 32
	buttonSide   = 12 // next to the text; flush moves a link left by its smaller side
	signSide     = 6  // next to a symbol
	buttonIcon   = 18
	buttonGap    = 10 // between icon and text
	buttonRadius = 6
	ringWidth    = 2
)

type buttonRenderer struct {
	b            *button
	ground, ring *canvas.Rectangle
	icon         *widget.Icon
	label        *text
}

func (r *buttonRenderer) Destroy() {}
func (r *buttonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.icon, r.label, r.ring}
}

// side returns the space next to the content.
func (r *buttonRenderer) side() float32 {
	switch {
	case r.b.Text == "":
		return (buttonHeight - buttonIcon) / 2
	case r.b.tip != "":
		return signSide
	case r.b.tone == toneLink:
		return gapSmall
	}
	return buttonSide
}

// content returns the width of icon and text.
func (r *buttonRenderer) content() float32 {
	w := r.label.full()
	if r.b.Icon != nil {
		w += buttonIcon
		if r.b.Text != "" {
			w += buttonGap
		}
	}
	return w
}

func (r *buttonRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.content()+2*r.side(), buttonHeight)
}

func (r *buttonRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	inset := float32(0)
	if r.b.tone == toneMain || r.b.tone == toneDanger {
		inset = ringWidth
	}
	r.ring.Resize(size.SubtractWidthHeight(2*inset, 2*inset))
	r.ring.Move(fyne.NewSquareOffsetPos(inset))
	missing := r.content() + 2*r.side() - size.Width
	if r.label.Hidden = r.b.pictured(); r.label.Hidden {
		r.icon.Resize(fyne.NewSize(buttonIcon, buttonIcon))
		r.icon.Move(fyne.NewPos((size.Width-buttonIcon)/2, (size.Height-buttonIcon)/2))
		return
	}
	if r.label.elide = missing >= 1; !r.label.elide { // smaller differences are rounding errors
		missing = 0
	}
	x := (size.Width - r.content()) / 2
	if r.b.tone == toneTool || r.label.elide {
		x = r.side()
	}
	if r.b.Icon != nil {
		r.icon.Resize(fyne.NewSize(buttonIcon, buttonIcon))
		r.icon.Move(fyne.NewPos(x, (size.Height-buttonIcon)/2))
		x += buttonIcon + buttonGap
	}
	label := fyne.NewSize(max(0, r.label.full()-missing), r.label.MinSize().Height)
	r.label.Resize(label)
	r.label.Move(fyne.NewPos(x, (size.Height-label.Height)/2))
}

// colors returns the colours of text and background, "" for none.
func (r *buttonRenderer) colors() (text, ground fyne.ThemeColorName) {
	b := r.b
	switch {
	case b.tone == toneLink && b.Disabled(), b.tone == toneTool && b.Disabled():
		return theme.ColorNameDisabled, ""
	case b.Disabled():
		return theme.ColorNameDisabled, theme.ColorNameDisabledButton
	case b.tone == toneMain:
		return theme.ColorNameForegroundOnPrimary, theme.ColorNamePrimary
	case b.tone == toneDanger:
		return theme.ColorNameForegroundOnError, theme.ColorNameError
	case b.tone == toneWarn:
		return theme.ColorNameError, theme.ColorNameButton
	case b.tone == toneLink:
		return theme.ColorNamePrimary, ""
	case b.tone == toneTool:
		return theme.ColorNameForeground, ""
	case b.tone == toneRow:
		return theme.ColorNameForeground, theme.ColorNameBackground
	}
	return theme.ColorNameForeground, theme.ColorNameButton
}

func (r *buttonRenderer) Refresh() {
	b := r.b
	th, variant := b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	name, ground := r.colors()
	r.ground.FillColor, r.ground.CornerRadius = color.Transparent, buttonRadius
	if ground != "" {
		r.ground.FillColor = th.Color(ground, variant)
	}
	if !b.Disabled() && (b.hovered || b.pressed) {
		veil := th.Color(theme.ColorNameHover, variant)
		if b.pressed {
			veil = th.Color(theme.ColorNamePressed, variant)
		}
		r.ground.FillColor = over(r.ground.FillColor, veil)
	}
	r.ring.CornerRadius, r.ring.StrokeWidth, r.ring.StrokeColor = buttonRadius, 0, color.Transparent
	if b.tone == toneChosen || b.tone == toneRow {
		r.ring.StrokeWidth, r.ring.StrokeColor = 1, th.Color(theme.ColorNameInputBorder, variant)
	}
	if b.focused {
		r.ring.StrokeWidth, r.ring.StrokeColor = ringWidth, th.Color(colorRing, variant)
		if b.tone == toneMain || b.tone == toneDanger { // inside, for contrast with the background
			r.ring.StrokeColor = th.Color(name, variant)
		}
	}
	r.icon.Hidden = b.Icon == nil
	if b.Icon != nil {
		if themed, ok := b.Icon.(fyne.ThemedResource); ok && themed.ThemeColorName() != name {
			r.icon.SetResource(theme.NewColoredResource(b.Icon, name))
		} else if r.icon.Resource != b.Icon {
			r.icon.SetResource(b.Icon)
		}
	}
	r.label.value, r.label.color = b.Text, name
	r.label.Refresh()
	r.Layout(b.Size())
	canvas.Refresh(r.ground)
	canvas.Refresh(r.ring)
}

// over blends a translucent colour over another colour.
func over(below, above color.Color) color.Color {
	r1, g1, b1, a1 := below.RGBA()
	r2, g2, b2, a2 := above.RGBA()
	mix := func(below, above uint32) uint8 { return uint8((above + below*(0xffff-a2)/0xffff) >> 8) }
	return color.RGBA{R: mix(r1, r2), G: mix(g1, g2), B: mix(b1, b2), A: mix(a1, a2)}
}
