package ui

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

type tone int

const (
	toneOrdinary tone = iota
	toneMain
	toneDanger
	toneWarn // leads to a destructive action
	toneLink
	toneTool   // without a background
	toneChosen // a chosen option
	toneRow
	tonePage
	toneHere
	toneChoice
)

var tones = map[tone]struct{ text, ground, outline fyne.ThemeColorName }{
	toneOrdinary: {theme.ColorNameForeground, theme.ColorNameButton, ""},
	toneMain:     {theme.ColorNameForegroundOnPrimary, theme.ColorNamePrimary, ""},
	toneDanger:   {theme.ColorNameForegroundOnError, theme.ColorNameError, ""},
	toneWarn:     {theme.ColorNameError, theme.ColorNameButton, ""},
	toneLink:     {theme.ColorNamePrimary, "", ""},
	toneTool:     {theme.ColorNameForeground, "", ""},
	toneChosen:   {theme.ColorNameForeground, theme.ColorNameButton, theme.ColorNameInputBorder},
	toneRow:      {theme.ColorNameForeground, theme.ColorNameBackground, theme.ColorNameInputBorder},
	tonePage:     {theme.ColorNameForeground, "", ""},
	toneHere:     {theme.ColorNameForeground, colorChosen, ""},
	toneChoice:   {theme.ColorNameForeground, theme.ColorNameButton, ""},
}

type button struct {
	widget.DisableableWidget
	Text     string
	Icon     fyne.Resource
	OnTapped func()
	tone     tone
	narrow   bool // sidebar only: the text is below the icon
	escape   func()
	step     func(by int) // sidebar only: moves the focus by a number of buttons
	tip      string       // hint shown instead of Text
	guard    *guard       // nil if keys act at once

	focused, hovered, pressed bool
}

var (
	_ fyne.Focusable    = (*button)(nil)
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

func (b *button) as(t tone) *button {
	if b.tone != t {
		b.tone = t
		b.Refresh()
	}
	return b
}

func (b *button) with(icon fyne.Resource) *button {
	b.set(b.Text, icon)
	return b
}

func (b *button) set(text string, icon fyne.Resource) {
	if b.Text != text || b.Icon != icon {
		b.Text, b.Icon = text, icon
		b.Refresh()
	}
}

func (b *button) Tapped(*fyne.PointEvent) {
	if !b.Disabled() && b.OnTapped != nil {
		b.OnTapped()
	}
}

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
		t.wait(cmp.Or(b.tip, b.Text), e.AbsolutePosition)
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
	switch {
	case e.Name == fyne.KeySpace, e.Name == fyne.KeyReturn, e.Name == fyne.KeyEnter:
		b.Tapped(nil)
	case e.Name == fyne.KeyEscape && b.escape != nil:
		b.escape()
	case b.step != nil && steps[e.Name] != 0:
		b.step(steps[e.Name])
	default:
		help(b, e)
	}
}

func (b *button) paged() bool { return b.tone == tonePage || b.tone == toneHere }

func (b *button) pictured() bool {
	return b.Icon != nil && b.Size().Width <= buttonHeight && !b.paged() && b.tone != toneChoice
}

const (
	buttonHeight = 32
	pageHeight   = 36
	narrowHeight = 50
	chooserWidth = 120
	buttonSide   = 12
	signSide     = 6
	buttonIcon   = 18
	buttonGap    = 10
	buttonRadius = 6
	ringWidth    = 2
)

func (b *button) CreateRenderer() fyne.WidgetRenderer {
	r := &buttonParts{b, newFill("", buttonRadius), newFill("", buttonRadius), newFill("", buttonRadius),
		widget.NewIcon(nil), plain(b.Text)}
	return newDrawing(b, r.min, r.place, r.paint, r.ground, r.veil, r.icon, r.label, r.ring)
}

type buttonParts struct {
	b                  *button
	ground, veil, ring *fill // veil highlights the button under the pointer
	icon               *widget.Icon
	label              *text
}

func (r *buttonParts) side() float32 {
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

func (r *buttonParts) content() float32 {
	w := r.label.full()
	if r.b.Icon != nil {
		w += buttonIcon
		if r.b.Text != "" {
			w += buttonGap
		}
	}
	return w
}

func (r *buttonParts) min() fyne.Size {
	switch {
	case r.b.tone == toneChoice:
		return fyne.NewSize(chooserWidth, buttonHeight)
	case r.b.paged() && r.b.narrow:
		return fyne.NewSize(buttonSide+buttonIcon+buttonGap, narrowHeight)
	case r.b.paged():
		return fyne.NewSize(buttonSide+buttonIcon+buttonGap, pageHeight)
	}
	return fyne.NewSize(r.content()+2*r.side(), buttonHeight)
}

func (r *buttonParts) place(size fyne.Size) {
	b, inset := r.b, float32(0)
	if b.tone == toneMain || b.tone == toneDanger {
		inset = ringWidth
	}
	r.ground.Resize(size)
	r.veil.Resize(size)
	put(r.ring, inset, inset, size.Width-2*inset, size.Height-2*inset)
	iconY, h := (size.Height-buttonIcon)/2, r.label.MinSize().Height
	labelY := (size.Height - h) / 2
	r.label.Hidden, r.label.elide = b.pictured(), true
	switch {
	case b.pictured():
		put(r.icon, (size.Width-buttonIcon)/2, iconY, buttonIcon, buttonIcon)
	case b.paged() && b.narrow:
		put(r.icon, (size.Width-buttonIcon)/2, 6, buttonIcon, buttonIcon)
		put(r.label, 0, 27, size.Width, h)
	case b.tone == toneChoice:
		put(r.icon, size.Width-buttonIcon-gapSmall, iconY, buttonIcon, buttonIcon)
		put(r.label, buttonSide, labelY, size.Width-buttonSide-buttonIcon-2*gapSmall, h)
	default:
		missing := r.content() + 2*r.side() - size.Width
		if r.label.elide = missing >= 1; !r.label.elide { // ignore rounding errors
			missing = 0
		}
		x := (size.Width - r.content()) / 2
		if r.label.elide || b.tone == toneTool || b.paged() {
			x = r.side()
		}
		if b.Icon != nil {
			put(r.icon, x, iconY, buttonIcon, buttonIcon)
			x += buttonIcon + buttonGap
		}
		put(r.label, x, labelY, r.label.full()-missing, h)
	}
}

func (r *buttonParts) paint() {
	b, t := r.b, tones[r.b.tone]
	if b.Disabled() {
		if t.text = theme.ColorNameDisabled; t.ground != "" {
			t.ground = theme.ColorNameDisabledButton
		}
	}
	r.ground.paint(t.ground)
	switch {
	case b.Disabled() || !b.hovered && !b.pressed:
		r.veil.paint("")
	case b.pressed:
		r.veil.paint(theme.ColorNamePressed)
	default:
		r.veil.paint(theme.ColorNameHover)
	}
	switch {
	case b.focused && (b.tone == toneMain || b.tone == toneDanger): // the ring is inside the background, for contrast
		r.ring.stroke(t.text, ringWidth)
	case b.focused:
		r.ring.ring(true)
	case t.outline != "":
		r.ring.stroke(t.outline, 1)
	default:
		r.ring.ring(false)
	}
	r.icon.Hidden = b.Icon == nil
	if themed, ok := b.Icon.(fyne.ThemedResource); ok && themed.ThemeColorName() != t.text {
		r.icon.SetResource(theme.NewColoredResource(b.Icon, t.text))
	} else if r.icon.Resource != b.Icon && b.Icon != nil {
		r.icon.SetResource(b.Icon)
	}
	r.label.value, r.label.color, r.label.style.Bold = b.Text, t.text, b.tone == toneHere
	r.label.align, r.label.size = fyne.TextAlignLeading, theme.SizeNameText
	if b.narrow {
		r.label.align, r.label.size = fyne.TextAlignCenter, theme.SizeNameCaptionText
	}
	r.label.Refresh()
	r.place(b.Size())
}

type segments struct {
	box     *fyne.Container
	keys    []present.Text
	buttons []*button
	changed func(key present.Text)
}

func newSegments(keys []present.Text, chosen present.Text, changed func(key present.Text)) *segments {
	s := &segments{keys: keys}
	line := container.New(layout.NewCustomPaddedHBoxLayout(0))
	for _, k := range keys {
		b := newButton(k, func() { s.choose(k) })
		s.buttons = append(s.buttons, b)
		line.Add(b)
	}
	s.box = line
	s.choose(chosen)
	s.changed = changed
	return s
}

func (s *segments) choose(key present.Text) {
	for i, b := range s.buttons {
		if s.keys[i] == key {
			b.as(toneChosen)
		} else {
			b.as(toneTool)
		}
	}
	if s.changed != nil {
		s.changed(key)
	}
}

type flip struct {
	button
	Checked   bool
	OnChanged func(bool)
}

func newFlip(label present.Text) *flip {
	f := &flip{}
	f.Text = tr(label)
	f.OnTapped = func() { f.SetChecked(!f.Checked) }
	f.ExtendBaseWidget(f)
	return f
}

func (f *flip) SetChecked(on bool) {
	if f.Checked == on {
		return
	}
	f.Checked = on
	f.Refresh()
	if f.OnChanged != nil {
		f.OnChanged(on)
	}
}

const (
	trackWidth, trackHeight = 36, 20
	knobGap                 = 3
	knobSize                = trackHeight - 2*knobGap
)

func (f *flip) CreateRenderer() fyne.WidgetRenderer {
	track, knob, ring := newFill("", trackHeight/2), newFill("", knobSize/2), newFill("", trackHeight/2+knobGap)
	label := plain(f.Text)
	place := func(size fyne.Size) {
		top, x := (size.Height-trackHeight)/2, float32(knobGap)
		if f.Checked {
			x = trackWidth - knobGap - knobSize
		}
		edge := track.width / 2 // the outline is drawn outside
		put(track, edge, top+edge, trackWidth-2*edge, trackHeight-2*edge)
		put(ring, -knobGap, top-knobGap, trackWidth+2*knobGap, trackHeight+2*knobGap)
		put(knob, x, top+knobGap, knobSize, knobSize)
		h := label.MinSize().Height
		put(label, trackWidth+gapSmall, (size.Height-h)/2, size.Width-trackWidth-gapSmall, h)
	}
	return newDrawing(f, func() fyne.Size {
		if f.Text == "" {
			return fyne.NewSize(trackWidth, buttonHeight)
		}
		return fyne.NewSize(trackWidth+gapSmall+label.full()+1, buttonHeight)
	}, place, func() {
		if f.Checked {
			track.paint(theme.ColorNamePrimary)
			track.stroke("", 0)
			knob.paint(theme.ColorNameForegroundOnPrimary)
		} else { // the outline distinguishes the button without colour
			track.paint(theme.ColorNameBackground)
			track.stroke(theme.ColorNameInputBorder, ringWidth)
			knob.paint(theme.ColorNameInputBorder)
		}
		ring.ring(f.focused)
		place(f.Size())
	}, track, knob, label, ring)
}
