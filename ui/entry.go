package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// entry is Fyne's field that also takes Escape: it closes the sheet that the field is on.
type entry struct {
	widget.Entry
	escape func()
}

func newEntry(value string, escape func()) *entry {
	e := &entry{escape: escape}
	e.ExtendBaseWidget(e)
	e.SetText(value)
	return e
}

// newLines is a field of several lines in the type of code.
func newLines(value string, escape func()) *entry {
	e := &entry{escape: escape}
	e.MultiLine = true
	e.TextStyle.Monospace = true
	e.ExtendBaseWidget(e)
	e.SetMinRowsVisible(3)
	e.SetText(value)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *entry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.escape()
		return
	}
	e.Entry.TypedKey(k)
}
