package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// searchEntry is a field with additional keys, such as the keys that move through the results.
type searchEntry struct {
	entry
	keys   map[fyne.KeyName]func()
	whole  func()        // action of Ctrl+Enter, or nil
	copied func() string // text that Ctrl+C copies if nothing is selected in the field; may be nil
}

// TypedShortcut implements fyne.Shortcutable.
func (e *searchEntry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*fyne.ShortcutCopy); ok && e.copied != nil && e.SelectedText() == "" && e.copied() != "" {
		c.Clipboard.SetContent(e.copied())
		return
	}
	if c, ok := s.(*desktop.CustomShortcut); ok && e.whole != nil && c.Modifier == fyne.KeyModifierShortcutDefault &&
		(c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter) {
		e.whole()
		return
	}
	e.entry.TypedShortcut(s)
}

func newSearchEntry(w *Window) *searchEntry {
	e := &searchEntry{entry: entry{w: w}, keys: map[fyne.KeyName]func(){}}
	e.Icon = theme.SearchIcon()
	e.ExtendBaseWidget(e)
	return e
}

// AcceptsTab implements fyne.Tabbable.
func (e *searchEntry) AcceptsTab() bool { return e.keys[fyne.KeyTab] != nil }

// TypedKey implements fyne.Focusable.
func (e *searchEntry) TypedKey(k *fyne.KeyEvent) {
	if do := e.keys[k.Name]; do != nil {
		do()
		return
	}
	e.entry.TypedKey(k)
}

// SetText replaces the text and moves the cursor to its end.
func (e *searchEntry) SetText(text string) {
	e.entry.SetText(text)
	e.CursorColumn = len([]rune(text))
	e.Refresh()
}
