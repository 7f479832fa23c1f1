package ui

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

type entry struct {
	widget.Entry
	w      *Window
	keys   map[fyne.KeyName]func()
	whole  func()        // action of Ctrl+Enter, or nil
	copied func() string // returns the text that Ctrl+C copies if none is selected in the field; may be nil
}

// newEntry makes a single-line field. escape may be nil. It makes no renderer yet, because that would miss an
// ActionItem set later.
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
