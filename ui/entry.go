package ui

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// entry is Fyne's field that leaves the window its shortcuts, and Escape where something can be closed.
type entry struct {
	widget.Entry
	w      *Window
	escape func()
}

// newEntry makes a field of one line; escape nil leaves Escape to the field.
func (w *Window) newEntry(value string, escape func()) *entry {
	e := &entry{w: w, escape: escape}
	e.ExtendBaseWidget(e)
	e.SetText(value)
	return e
}

// newLines is a field of several lines in the type of code. Its wheel is to be the sheet's (wheel).
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
	case k.Name == fyne.KeyF1 && e.w != nil: // help would not find the canvas of what embeds a field
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

// RestartCaret has the caret follow the app's settings, which say whether it blinks.
func (e *entry) RestartCaret() {
	e.Entry.FocusLost()
	e.Entry.FocusGained()
}

// Lines that a field of several lines is high, at least and at most; between them it is as high as its text.
const (
	rowsLeast = 2
	rowsMost  = 12
)

// rows is how high a field is with a text, in lines.
func rows(text string) int { return min(rowsMost, max(rowsLeast, strings.Count(text, "\n")+1)) }

// wheel lies over a field and hands the mouse wheel to the sheet, which the field would keep; all else goes through to
// the field.
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
