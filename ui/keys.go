package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

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
	{"lang:go", "Only this language, in the search field"},
	{"path:src", "Only paths with this text, in the search field"},
	{"Alt+E", "Search exact text"},
	{"Alt+C", "Match case"},
	{"Alt+R", "Search by a regular expression"},
	{"Ctrl+C", "Copy the selection"},
	{"F1", "Shortcut keys"},
}

func (w *Window) ShowKeys() {
	rows := widget.Column(widget.GapSmall)
	for _, k := range shortcutKeys {
		rows.Add(container.NewBorder(nil, nil, widget.Wide(128, widget.Row(widget.NewKeyCap(page.KeyName(k.key)))), nil,
			widget.Plain(present.T(k.does))))
	}
	w.Open(&page.Sheet{Title: present.T("Keys"), Body: rows,
		Buttons: []fyne.CanvasObject{page.Primary("Close", w.CloseSheet)}})
}
