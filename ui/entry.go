package ui

import (
	"fyne.io/fyne/v2"
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

// newLines is a field of several lines in the type of code. It is as high as its text and does not scroll: the wheel is the
// sheet's.
func (w *Window) newLines(value string, escape func()) *entry {
	e := &entry{w: w, escape: escape}
	e.MultiLine = true
	e.TextStyle.Monospace = true
	e.ExtendBaseWidget(e)
	e.Wrapping, e.Scroll = fyne.TextWrapBreak, fyne.ScrollNone
	e.SetMinRowsVisible(3)
	e.SetText(value)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *entry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape && e.escape != nil {
		e.escape()
		return
	}
	e.Entry.TypedKey(k)
}

// TypedShortcut implements fyne.Shortcutable.
func (e *entry) TypedShortcut(s fyne.Shortcut) {
	if e.w == nil || !e.w.shortcut(s) {
		e.Entry.TypedShortcut(s)
	}
}
