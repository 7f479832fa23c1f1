package ui

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

type entry struct {
	widget.Entry
	w      *Window
	keys   map[fyne.KeyName]func()
	whole  func()
	copied func() string // returns the text that Ctrl+C copies if none is selected in the field; may be nil
}

// newEntry makes a single-line field. escape may be nil. It makes no renderer yet, because a renderer would ignore an
// ActionItem that is set later.
func (w *Window) newEntry(value string, escape func()) *entry {
	e := &entry{w: w, keys: map[fyne.KeyName]func(){fyne.KeyEscape: escape}}
	e.ExtendBaseWidget(e)
	e.Text, e.CursorColumn = value, len([]rune(value))
	return e
}

// newLines makes a monospaced multi-line field. Callers put a wheel over it.
func (w *Window) newLines(value string, escape func()) *entry {
	e := w.newEntry("", escape)
	e.MultiLine, e.TextStyle.Monospace, e.Wrapping = true, true, fyne.TextWrapBreak
	e.SetMinRowsVisible(rows(value))
	e.SetText(value)
	return e
}

func (e *entry) AcceptsTab() bool { return e.keys[fyne.KeyTab] != nil || e.Entry.AcceptsTab() }

func (e *entry) TypedRune(r rune) {
	if t := tipOf(e); t != nil {
		t.leave() // it may cover the results
	}
	e.Entry.TypedRune(r)
}

func (e *entry) TypedKey(k *fyne.KeyEvent) {
	switch do := e.keys[k.Name]; {
	case do != nil:
		do()
	case k.Name == fyne.KeyF1 && e.w != nil: // help would find no canvas, because entry embeds Entry
		e.w.showKeys()
	default:
		e.Entry.TypedKey(k)
	}
}

func (e *entry) TypedShortcut(s fyne.Shortcut) {
	c, ok := s.(*desktop.CustomShortcut)
	copies, is := s.(*fyne.ShortcutCopy)
	switch {
	case is && e.copied != nil && e.SelectedText() == "" && e.copied() != "":
		copies.Clipboard.SetContent(e.copied())
	case ok && e.whole != nil && c.Modifier == fyne.KeyModifierShortcutDefault &&
		(c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter):
		e.whole()
	case e.w == nil || !e.w.shortcut(s):
		e.Entry.TypedShortcut(s)
	}
}

func (e *entry) SetText(text string) {
	e.Entry.SetText(text)
	if !e.MultiLine {
		e.CursorColumn = len([]rune(text))
		e.Refresh()
	}
}

func (e *entry) RestartCaret() {
	e.Entry.FocusLost()
	e.Entry.FocusGained()
}

const (
	rowsLeast = 2
	rowsMost  = 12
)

func rows(text string) int { return min(rowsMost, max(rowsLeast, strings.Count(text, "\n")+1)) }

// wheel covers a multi-line field and passes wheel events to the sheet.
type wheel struct {
	widget.BaseWidget
	w *Window
}

var _ fyne.Scrollable = (*wheel)(nil)

func newWheel(w *Window) *wheel {
	x := &wheel{w: w}
	x.ExtendBaseWidget(x)
	return x
}

func (x *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (x *wheel) Scrolled(e *fyne.ScrollEvent) {
	if x.w.sheet != nil && x.w.sheet.scroll != nil {
		x.w.sheet.scroll.Scrolled(e)
	}
}

var shortcutKeys = []hint{
	{"Ctrl+1 … 6", "Pages"},
	{"Ctrl+F", "Search field of the page"},
	{"Ctrl+K", "Search"},
	{"Ctrl+N", "Add folder"},
	{"Ctrl+W", "Close window"},
	{"Tab", "Next control"},
	{"↑ ↓", "Next row"},
	{"Enter", "Open the highlighted row"},
	{"Shift+F10", "Project menu"},
	{"Esc", "Close the pane or dialog"},
	{">", "Actions, in the search field"},
	{"Alt+E", "Search exact text"},
	{"Alt+C", "Match case"},
	{"Alt+R", "Search by a regular expression"},
	{"Ctrl+C", "Copy the selection"},
	{"F1", "Shortcut keys"},
}

func (w *Window) showKeys() {
	rows := column(gapSmall)
	for _, k := range shortcutKeys {
		rows.Add(container.NewBorder(nil, nil, wide(128, row(newKeyCap(k.key))), nil, plain(tr(k.does))))
	}
	w.open(&sheet{title: tr("Keys"), body: rows, buttons: []fyne.CanvasObject{primary("Close", w.closeSheet)}})
}

// help passes F1 to the window, because Fyne sends keys to the focused widget only.
func help(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); e.Name == fyne.KeyF1 && c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

type keyCap struct {
	widget.BaseWidget
	text   *text
	ground *fill
}

func newKeyCap(name string) *keyCap {
	k := &keyCap{text: caption(keyName(name)), ground: newFill(theme.ColorNameButton, 4)}
	k.text.align, k.ground.Hidden = fyne.TextAlignCenter, name == ""
	k.ExtendBaseWidget(k)
	return k
}

func keyName(keys string) string { return strings.Replace(keys, "Ctrl", tr("Ctrl"), 1) }

func (k *keyCap) set(name string, key bool) {
	if k.ground.Hidden = !key; key {
		name = keyName(name)
	}
	k.text.set(name)
	k.Refresh()
}

func (k *keyCap) MinSize() fyne.Size {
	side := float32(1)
	if !k.ground.Hidden {
		side = 12
	}
	return fyne.NewSize(k.text.full()+side, 20)
}

func (k *keyCap) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(k.ground, centred(k.text)))
}

type hint struct {
	key  string
	does present.Text
}

type keyHints struct {
	all []hint
	box *fyne.Container
}

func newKeyHints(all ...hint) *keyHints {
	k := &keyHints{box: container.New(hintLayout{})}
	k.set(all)
	return k
}

func (k *keyHints) set(all []hint) {
	if slices.Equal(k.all, all) {
		return
	}
	k.all, k.box.Objects = all, nil
	for _, h := range all {
		k.box.Add(newKeyCap(h.key))
		k.box.Add(caption2(tr(h.does)))
	}
	k.box.Refresh()
}

type hintLayout struct{}

func (hintLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 24) }

func (hintLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i := 0; i+1 < len(o); i += 2 {
		key, does := o[i].MinSize(), o[i+1].MinSize()
		end := x + key.Width + 6 + does.Width
		o[i].(*keyCap).Hidden, o[i+1].(*text).Hidden = end > size.Width, end > size.Width
		o[i].Resize(key)
		o[i].Move(fyne.NewPos(x, (size.Height-key.Height)/2))
		o[i+1].Resize(does)
		o[i+1].Move(fyne.NewPos(x+key.Width+6, (size.Height-does.Height)/2))
		x = end + gapGroup
	}
}

func footLine(hints fyne.CanvasObject, t *text) *fyne.Container {
	return container.NewBorder(nil, nil, nil, pad(0, 0, gapSmall, 0, centred(t)), hints)
}
