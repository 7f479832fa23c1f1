package ui

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// entry is Fyne's entry with the window's shortcuts and an optional action for Escape.
type entry struct {
	widget.Entry
	w      *Window
	escape func()
}

// newEntry makes a field of one line.
func (w *Window) newEntry(value string, escape func()) *entry {
	e := &entry{w: w, escape: escape}
	e.ExtendBaseWidget(e)
	e.SetText(value)
	return e
}

// newLines makes a monospaced field of several lines. Combine it with wheel.
func (w *Window) newLines(value string, escape func()) *entry {
	e := &entry{w: w, escape: escape}
	e.MultiLine = true
	e.TextStyle.Monospace = true
	e.ExtendBaseWidget(e)
	e.Wrapping = fyne.TextWrapBreak
	e.SetMinRowsVisible(rows(value))
	e.SetText(value)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *entry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape && e.escape != nil:
		e.escape()
	case k.Name == fyne.KeyF1 && e.w != nil: // because help can't find the canvas of a type that embeds a field
		e.w.showKeys()
	default:
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *entry) TypedShortcut(s fyne.Shortcut) {
	if e.w == nil || !e.w.shortcut(s) {
		e.Entry.TypedShortcut(s)
	}
}

// RestartCaret applies the setting for a blinking caret.
func (e *entry) RestartCaret() {
	e.Entry.FocusLost()
	e.Entry.FocusGained()
}

// The least and greatest number of lines of a field of several lines.
const (
	rowsLeast = 2
	rowsMost  = 12
)

// rows returns the height of a field for a text, in lines.
func rows(text string) int { return min(rowsMost, max(rowsLeast, strings.Count(text, "\n")+1)) }

// wheel lies over a field of several lines and passes the mouse wheel to the sheet.
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

// CreateRenderer implements fyne.Widget.
func (x *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

// Scrolled implements fyne.Scrollable.
func (x *wheel) Scrolled(e *fyne.ScrollEvent) {
	if x.w.sheet != nil && x.w.sheet.scroll != nil {
		x.w.sheet.scroll.Scrolled(e)
	}
}
