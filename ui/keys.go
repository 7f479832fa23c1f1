package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

// newEntry makes a single-line field with the window's shortcuts. escape may be nil.
func (w *Window) newEntry(value string, escape func()) *widget.Entry {
	e := widget.NewEntry(value, escape)
	e.Shortcut, e.Keys[fyne.KeyF1] = w.shortcut, w.showKeys
	return e
}

// newLines makes a monospaced multi-line field. Callers put a wheel over it.
func (w *Window) newLines(value string, escape func()) *widget.Entry {
	e := w.newEntry("", escape)
	e.MultiLine, e.TextStyle.Monospace, e.Wrapping = true, true, fyne.TextWrapBreak
	e.SetMinRowsVisible(widget.RowsOf(value))
	e.SetText(value)
	return e
}

var shortcutKeys = []struct {
	key  string
	does present.Text
}{
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
	rows := widget.Column(widget.GapSmall)
	for _, k := range shortcutKeys {
		rows.Add(container.NewBorder(nil, nil, widget.Wide(128, widget.Row(widget.NewKeyCap(keyName(k.key)))), nil,
			widget.Plain(tr(k.does))))
	}
	w.open(&sheet{title: tr("Keys"), body: rows, buttons: []fyne.CanvasObject{primary("Close", w.closeSheet)}})
}

func hintOf(key string, does present.Text) widget.Hint {
	return widget.Hint{Key: keyName(key), Does: tr(does)}
}
func keyName(keys string) string { return strings.Replace(keys, "Ctrl", tr("Ctrl"), 1) }
