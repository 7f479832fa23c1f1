package widget

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type Tone int

const (
	ToneOrdinary Tone = iota
	ToneMain
	ToneDanger
	ToneWarn
	ToneLink
	ToneTool
	ToneChosen
	ToneRow
	TonePage
	ToneHere
	toneChoice
)

var tones = map[Tone]struct{ text, ground, outline fyne.ThemeColorName }{
	ToneOrdinary: {theme.ColorNameForeground, theme.ColorNameButton, ""},
	ToneMain:     {theme.ColorNameForegroundOnPrimary, theme.ColorNamePrimary, ""},
	ToneDanger:   {theme.ColorNameForegroundOnError, theme.ColorNameError, ""},
	ToneWarn:     {theme.ColorNameError, theme.ColorNameButton, ""},
	ToneLink:     {theme.ColorNamePrimary, "", ""},
	ToneTool:     {theme.ColorNameForeground, "", ""},
	ToneChosen:   {theme.ColorNameForeground, theme.ColorNameButton, theme.ColorNameInputBorder},
	ToneRow:      {theme.ColorNameForeground, theme.ColorNameBackground, theme.ColorNameInputBorder},
	TonePage:     {theme.ColorNameForeground, "", ""},
	ToneHere:     {theme.ColorNameForeground, colorChosen, ""},
	toneChoice:   {theme.ColorNameForeground, theme.ColorNameButton, ""},
}

// Guard decides which keys press a button. Typed reports whether a key may press it. Focused is called when the
// button gets the focus.
type Guard interface {
	Focused()
	Typed(key fyne.KeyName) bool
}

type Button struct {
	widget.DisableableWidget
	Text     string
	Icon     fyne.Resource
	OnTapped func()
	Tone     Tone
	Narrow   bool // in the sidebar: the text is below the icon
	Escape   func()
	Step     func(by int) // moves the focus to another button of the group
	Tip      string
	Guard    Guard

	focused, hovered, pressed bool
}

func NewButton(label string, tapped func()) *Button {
	return extended(&Button{Text: label, OnTapped: tapped})
}

func IconButton(icon fyne.Resource, tapped func()) *Button {
	return NewButton("", tapped).As(ToneTool).With(icon)
}

func (b *Button) As(t Tone) *Button {
	if b.Tone != t {
		b.Tone = t
		b.Refresh()
	}
	return b
}

func (b *Button) With(icon fyne.Resource) *Button {
	b.Set(b.Text, icon)
	return b
}

func (b *Button) Set(text string, icon fyne.Resource) {
	if b.Text != text || b.Icon != icon {
		b.Text, b.Icon = text, icon
		b.Refresh()
	}
}

func (b *Button) Tapped(*fyne.PointEvent) {
	if !b.Disabled() && b.OnTapped != nil {
		b.OnTapped()
	}
}

func (b *Button) FocusGained() {
	if b.Guard != nil {
		b.Guard.Focused()
	}
	b.focused = true
	b.Refresh()
	reveal()
}

func (b *Button) FocusLost() { b.focused = false; b.Refresh() }

func (b *Button) TypedRune(rune) {
	if b.Guard != nil {
		b.Guard.Typed("")
	}
}

func (b *Button) MouseIn(e *desktop.MouseEvent) {
	b.hovered = true
	b.Refresh()
	if t := TipOf(b); t != nil && (b.Tip != "" || b.Pictured()) {
		t.Wait(cmp.Or(b.Tip, b.Text), e.AbsolutePosition)
	}
}

func (b *Button) MouseMoved(*desktop.MouseEvent) {}

func (b *Button) MouseOut() {
	b.hovered, b.pressed = false, false
	b.Refresh()
	if t := TipOf(b); t != nil {
		t.Leave()
	}
}

func (b *Button) MouseDown(*desktop.MouseEvent) { b.pressed = true; b.Refresh() }
func (b *Button) MouseUp(*desktop.MouseEvent)   { b.pressed = false; b.Refresh() }

func (b *Button) TypedKey(e *fyne.KeyEvent) {
	if b.Guard != nil && !b.Guard.Typed(e.Name) {
		return
	}
	switch {
	case e.Name == fyne.KeySpace, e.Name == fyne.KeyReturn, e.Name == fyne.KeyEnter:
		b.Tapped(nil)
	case e.Name == fyne.KeyEscape && b.Escape != nil:
		b.Escape()
	case b.Step != nil && arrows[e.Name] != 0:
		b.Step(arrows[e.Name])
	default:
		help(b, e)
	}
}

var arrows = map[fyne.KeyName]int{fyne.KeyLeft: -1, fyne.KeyUp: -1, fyne.KeyRight: 1, fyne.KeyDown: 1}

func (b *Button) Paged() bool { return b.Tone == TonePage || b.Tone == ToneHere }

func (b *Button) Pictured() bool {
	return b.Icon != nil && b.Size().Width <= ButtonHeight && !b.Paged() && b.Tone != toneChoice
}

const (
	ButtonHeight = 32
	pageHeight   = 36
	narrowHeight = 50
	chooserWidth = 120
	ButtonSide   = 12
	signSide     = 6
	ButtonIcon   = 18
	buttonGap    = 10
	buttonRadius = 6
	ringWidth    = 2
)

func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	r := &buttonParts{b, NewFill("", buttonRadius), NewFill("", buttonRadius), NewFill("", buttonRadius),
		widget.NewIcon(nil), Plain(b.Text)}
	return newDrawing(b, r.min, r.place, r.paint, r.ground, r.veil, r.icon, r.label, r.ring)
}

type buttonParts struct {
	b                  *Button
	ground, veil, ring *Fill // veil is the highlight under the pointer
	icon               *widget.Icon
	label              *Text
}

func (r *buttonParts) side() float32 {
	switch {
	case r.b.Text == "":
		return (ButtonHeight - ButtonIcon) / 2
	case r.b.Tip != "" && r.b.Step == nil: // not in a group
		return signSide
	case r.b.Tone == ToneLink:
		return GapSmall
	}
	return ButtonSide
}

func (r *buttonParts) content() float32 {
	w := r.label.Full()
	if r.b.Icon != nil {
		w += ButtonIcon
		if r.b.Text != "" {
			w += buttonGap
		}
	}
	return w
}

func (r *buttonParts) min() fyne.Size {
	switch {
	case r.b.Tone == toneChoice:
		return fyne.NewSize(chooserWidth, ButtonHeight)
	case r.b.Paged() && r.b.Narrow:
		return fyne.NewSize(ButtonSide+ButtonIcon+buttonGap, narrowHeight)
	case r.b.Paged():
		return fyne.NewSize(ButtonSide+ButtonIcon+buttonGap, pageHeight)
	}
	return fyne.NewSize(r.content()+2*r.side(), ButtonHeight)
}

func (r *buttonParts) place(size fyne.Size) {
	b, inset := r.b, float32(0)
	if b.focused {
		inset = ringWidth + 1 // a gap separates the ring from a button of the same colour
	}
	within(r.ground, inset, size)
	within(r.veil, inset, size)
	within(r.ring, ringWidth/2, size)
	iconY, h := (size.Height-ButtonIcon)/2, r.label.MinSize().Height
	labelY := (size.Height - h) / 2
	r.label.Hidden, r.label.Elide = b.Pictured(), true
	switch {
	case b.Pictured():
		Place(r.icon, (size.Width-ButtonIcon)/2, iconY, ButtonIcon, ButtonIcon)
	case b.Paged() && b.Narrow:
		Place(r.icon, (size.Width-ButtonIcon)/2, 6, ButtonIcon, ButtonIcon)
		Place(r.label, 0, 27, size.Width, h)
	case b.Tone == toneChoice:
		Place(r.icon, size.Width-ButtonIcon-GapSmall, iconY, ButtonIcon, ButtonIcon)
		Place(r.label, ButtonSide, labelY, size.Width-ButtonSide-ButtonIcon-2*GapSmall, h)
	default:
		missing := r.content() + 2*r.side() - size.Width
		if r.label.Elide = missing >= 1; !r.label.Elide { // ignore rounding errors
			missing = 0
		}
		x := (size.Width - r.content()) / 2
		if r.label.Elide || b.Tone == ToneTool || b.Paged() {
			x = r.side()
		}
		if b.Icon != nil {
			Place(r.icon, x, iconY, ButtonIcon, ButtonIcon)
			x += ButtonIcon + buttonGap
		}
		Place(r.label, x, labelY, r.label.Full()-missing, h)
	}
}

func (r *buttonParts) paint() {
	b, t := r.b, tones[r.b.Tone]
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
	r.label.Value, r.label.Color, r.label.Style.Bold = b.Text, t.text, b.Tone == ToneHere
	r.label.Align, r.label.size = fyne.TextAlignLeading, theme.SizeNameText
	r.label.Inner = b.Tone == toneChoice
	if b.Narrow {
		r.label.Align, r.label.size = fyne.TextAlignCenter, theme.SizeNameCaptionText
	}
	r.label.Refresh()
	r.place(b.Size())
}

type Segments[K ~string] struct {
	Box     *fyne.Container
	keys    []K
	Buttons []*Button
	changed func(key K)
}

func NewSegments[K ~string](keys []K, label func(K) string, chosen K, changed func(key K)) *Segments[K] {
	s := &Segments[K]{keys: keys}
	line := container.New(layout.NewCustomPaddedHBoxLayout(0))
	for _, k := range keys {
		b := NewButton(label(k), func() { s.Choose(k) })
		b.Step = s.step
		s.Buttons = append(s.Buttons, b)
		line.Add(b)
	}
	s.Box = line
	s.Choose(chosen)
	s.changed = changed
	return s
}

// Chosen returns the index of the chosen key, or -1.
func (s *Segments[K]) Chosen() int {
	return slices.IndexFunc(s.Buttons, func(b *Button) bool { return b.Tone == ToneChosen })
}

// step chooses the next or previous key, and moves the focus to its button.
func (s *Segments[K]) step(by int) {
	to := s.Chosen() + by
	if to < 0 || to >= len(s.Buttons) {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.Box); c != nil {
		c.Focus(s.Buttons[to]) // first, because changed may replace the buttons
	}
	s.Choose(s.keys[to])
}

func (s *Segments[K]) Choose(key K) {
	for i, b := range s.Buttons {
		if s.keys[i] == key {
			b.As(ToneChosen)
		} else {
			b.As(ToneTool)
		}
	}
	if s.changed != nil {
		s.changed(key)
	}
}

type Switch struct {
	Button
	Checked   bool
	OnChanged func(bool)
}

func NewSwitch(label string) *Switch {
	f := &Switch{}
	f.Text = label
	f.OnTapped = func() { f.SetChecked(!f.Checked) }
	f.ExtendBaseWidget(f)
	return f
}

func (f *Switch) SetChecked(on bool) {
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

func (f *Switch) CreateRenderer() fyne.WidgetRenderer {
	track, knob, ring := NewFill("", trackHeight/2), NewFill("", knobSize/2), NewFill("", trackHeight/2+knobGap)
	label := Plain(f.Text)
	place := func(size fyne.Size) {
		top, x := (size.Height-trackHeight)/2, float32(knobGap)
		if f.Checked {
			x = trackWidth - knobGap - knobSize
		}
		edge := track.width / 2 // half of the outline is outside the object
		Place(track, edge, top+edge, trackWidth-2*edge, trackHeight-2*edge)
		Place(ring, -knobGap, top-knobGap, trackWidth+2*knobGap, trackHeight+2*knobGap)
		Place(knob, x, top+knobGap, knobSize, knobSize)
		h := label.MinSize().Height
		Place(label, trackWidth+GapSmall, (size.Height-h)/2, size.Width-trackWidth-GapSmall, h)
	}
	return newDrawing(f, func() fyne.Size {
		if f.Text == "" {
			return fyne.NewSize(trackWidth, ButtonHeight)
		}
		return fyne.NewSize(trackWidth+GapSmall+label.Full()+1, ButtonHeight)
	}, place, func() {
		if f.Checked {
			track.paint(theme.ColorNamePrimary)
			track.stroke("", 0)
			knob.paint(theme.ColorNameForegroundOnPrimary)
		} else { // the outline marks the button for users who don't see its colour
			track.paint(theme.ColorNameBackground)
			track.stroke(theme.ColorNameInputBorder, ringWidth)
			knob.paint(theme.ColorNameInputBorder)
		}
		ring.ring(f.focused)
		place(f.Size())
	}, track, knob, label, ring)
}
