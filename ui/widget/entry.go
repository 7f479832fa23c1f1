package widget

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type Entry struct {
	widget.Entry
	Keys     map[fyne.KeyName]func()
	Shortcut func(fyne.Shortcut) bool // handles the window's shortcuts; may be nil
	Whole    func()
	Copied   func() string // what Ctrl+C copies without a selection; may be nil
	focused  bool
}

// NewEntry returns a single-line field. escape may be nil. It creates no renderer yet, because a renderer ignores an
// ActionItem that is set later.
func NewEntry(value string, escape func()) *Entry {
	e := &Entry{Keys: map[fyne.KeyName]func(){fyne.KeyEscape: escape}}
	e.ExtendBaseWidget(e)
	e.Text, e.CursorColumn = value, len([]rune(value))
	return e
}

func (e *Entry) FocusGained() {
	e.focused = true
	e.Entry.FocusGained()
	reveal()
}

// SelectAll selects the text, so that typing replaces it.
func (e *Entry) SelectAll() { e.Entry.TypedShortcut(&fyne.ShortcutSelectAll{}) }
func (e *Entry) FocusLost() { e.focused = false; e.Entry.FocusLost() }

func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	r := entryParts{e.Entry.CreateRenderer(), e, NewFill("", buttonRadius)}
	if e.Size() != (fyne.Size{}) {
		r.Layout(e.Size()) // Fyne drops the renderer of a hidden field and doesn't lay out a new one
	}
	return r
}

// entryParts draws our focus ring above Fyne's field.
type entryParts struct {
	fyne.WidgetRenderer
	e    *Entry
	ring *Fill
}

func (r entryParts) Objects() []fyne.CanvasObject {
	return append(slices.Clip(r.WidgetRenderer.Objects()), r.ring)
}

func (r entryParts) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	within(r.ring, ringWidth/2, size)
}

func (r entryParts) Refresh() {
	r.WidgetRenderer.Refresh()
	r.ring.ring(r.e.focused)
}

func (e *Entry) AcceptsTab() bool { return e.Keys[fyne.KeyTab] != nil || e.Entry.AcceptsTab() }

func (e *Entry) TypedRune(r rune) {
	if t := TipOf(e); t != nil {
		t.Leave() // the tip could cover the results
	}
	e.Entry.TypedRune(r)
}

func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if do := e.Keys[k.Name]; do != nil {
		do()
	} else {
		e.Entry.TypedKey(k)
	}
}

func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	c, ok := s.(*desktop.CustomShortcut)
	copies, is := s.(*fyne.ShortcutCopy)
	switch {
	case is && e.Copied != nil && e.SelectedText() == "" && e.Copied() != "":
		copies.Clipboard.SetContent(e.Copied())
	case ok && e.Whole != nil && c.Modifier == fyne.KeyModifierShortcutDefault &&
		(c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter):
		e.Whole()
	case e.Shortcut == nil || !e.Shortcut(s):
		e.Entry.TypedShortcut(s)
	}
}

func (e *Entry) SetText(text string) {
	e.Entry.SetText(text)
	if !e.MultiLine {
		e.CursorColumn = len([]rune(text))
		e.Refresh()
	}
}

func (e *Entry) RestartCaret() {
	e.Entry.FocusLost()
	e.Entry.FocusGained()
}

const (
	rowsLeast = 2
	rowsMost  = 12
)

func RowsOf(text string) int { return min(rowsMost, max(rowsLeast, strings.Count(text, "\n")+1)) }

type wheel struct {
	glass
	scrolled func(*fyne.ScrollEvent)
}

func NewWheel(scrolled func(*fyne.ScrollEvent)) *wheel { return extended(&wheel{scrolled: scrolled}) }
func (x *wheel) Scrolled(e *fyne.ScrollEvent)          { x.scrolled(e) }

// help passes F1 and Escape to the window, because Fyne passes keys only to the focused widget.
func help(o fyne.CanvasObject, e *fyne.KeyEvent) {
	ours := e.Name == fyne.KeyF1 || e.Name == fyne.KeyEscape
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); ours && c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

type KeyCap struct {
	widget.BaseWidget
	text   *Text
	Ground *Fill
}

func NewKeyCap(name string) *KeyCap {
	k := &KeyCap{text: Caption(name), Ground: NewFill(theme.ColorNameButton, 4)}
	k.text.Split = factSplit
	k.text.Align, k.Ground.Hidden = fyne.TextAlignCenter, name == ""
	k.ExtendBaseWidget(k)
	return k
}

func (k *KeyCap) Set(name string, key bool) {
	k.Ground.Hidden = !key
	k.text.Set(name)
	k.Refresh()
}

func (k *KeyCap) MinSize() fyne.Size {
	side := float32(1)
	if !k.Ground.Hidden {
		side = 12
	}
	return fyne.NewSize(k.text.Full()+side, 20)
}

func (k *KeyCap) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(k.Ground, Centred(k.text)))
}

type Hint struct{ Key, Does string }

type KeyHints struct {
	All []Hint
	Box *fyne.Container
}

func NewKeyHints(all ...Hint) *KeyHints {
	k := &KeyHints{}
	k.Box = container.New(Least(0, 24, k.place))
	k.Set(all)
	return k
}

func (k *KeyHints) Set(all []Hint) {
	if slices.Equal(k.All, all) {
		return
	}
	k.All, k.Box.Objects = all, nil
	for _, h := range all {
		k.Box.Add(NewKeyCap(h.Key))
		k.Box.Add(WholeCaption(h.Does))
	}
	k.Box.Refresh()
}

func (k *KeyHints) place(size fyne.Size) {
	x, o := float32(0), k.Box.Objects
	for i := 0; i+1 < len(o); i += 2 {
		key, does := o[i].MinSize(), o[i+1].MinSize()
		end := x + key.Width + 6 + does.Width
		o[i].(*KeyCap).Hidden, o[i+1].(*Text).Hidden = end > size.Width, end > size.Width
		o[i].Resize(key)
		o[i].Move(fyne.NewPos(x, (size.Height-key.Height)/2))
		o[i+1].Resize(does)
		o[i+1].Move(fyne.NewPos(x+key.Width+6, (size.Height-does.Height)/2))
		x = end + GapGroup
	}
}

func (k *KeyHints) full() (width float32) {
	for _, o := range k.Box.Objects {
		width += o.MinSize().Width + (6+GapGroup)/2
	}
	return width
}

// factSplit is the separator of facts in a line.
const factSplit = " · "

// FootLine puts the hints to the left of t. If the line is too short, it first omits the last facts of t, or the last
// hints if t is first.
func FootLine(hints *KeyHints, t *Text, first bool) *fyne.Container {
	t.Elide, t.Split = true, factSplit
	least := func() fyne.Size { return hints.Box.MinSize() }
	return container.New(Layout{least, func(size fyne.Size) {
		most := size.Width
		if !first {
			most = max(0, most-hints.full())
		}
		width, h := min(t.Full()+1, most), t.MinSize().Height
		t.Hidden = strings.HasSuffix(t.Fitting(width), "…")
		Place(t, size.Width-width, (size.Height-h)/2, width, h)
		Place(hints.Box, 0, 0, size.Width-width-GapSmall, size.Height)
		hints.place(hints.Box.Size())
	}}, hints.Box, t)
}
