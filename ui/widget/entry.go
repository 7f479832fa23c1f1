package widget

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

type Entry struct {
	widget.Entry
	Keys     map[fyne.KeyName]func()
	Shortcut func(fyne.Shortcut) bool // handles a shortcut of the window; may be nil
	Whole    func()
	Copied   func() string // returns the text that Ctrl+C copies if none is selected in the field; may be nil
}

// NewEntry makes a single-line field. escape may be nil. It makes no renderer yet, because a renderer would ignore an
// ActionItem that is set later.
func NewEntry(value string, escape func()) *Entry {
	e := &Entry{Keys: map[fyne.KeyName]func(){fyne.KeyEscape: escape}}
	e.ExtendBaseWidget(e)
	e.Text, e.CursorColumn = value, len([]rune(value))
	return e
}

func (e *Entry) AcceptsTab() bool { return e.Keys[fyne.KeyTab] != nil || e.Entry.AcceptsTab() }

func (e *Entry) TypedRune(r rune) {
	if t := TipOf(e); t != nil {
		t.Leave() // it may cover the results
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

// wheel covers a multi-line field and passes wheel events to the sheet.
type wheel struct {
	widget.BaseWidget
	scrolled func(*fyne.ScrollEvent)
}

func NewWheel(scrolled func(*fyne.ScrollEvent)) *wheel {
	x := &wheel{scrolled: scrolled}
	x.ExtendBaseWidget(x)
	return x
}

func (x *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (x *wheel) Scrolled(e *fyne.ScrollEvent) { x.scrolled(e) }

// help passes F1 to the window, because Fyne sends keys to the focused widget only.
func help(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); e.Name == fyne.KeyF1 && c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}
