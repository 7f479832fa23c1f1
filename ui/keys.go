package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"searchmcp/ui/present"
)

// shortcutKeys are what the keyboard does, as F1 shows it.
var shortcutKeys = []struct {
	key  string
	does present.Text
}{
	{"Ctrl+1 … 6", "The pages"},
	{"Ctrl+F", "Search"},
	{"Ctrl+N", "Add folder"},
	{"Ctrl+W", "Close window"},
	{"Tab", "The next control"},
	{"↑ ↓", "The next row of a list"},
	{"Enter", "Open what is highlighted"},
	{"Esc", "Close what is open"},
	{">", "Actions, in the search field"},
	{"Ctrl+C", "Copy what is selected"},
	{"F1", "These keys"},
}

// showKeys says what the keyboard does.
func (w *Window) showKeys() {
	rows := column(gapSmall)
	for _, k := range shortcutKeys {
		rows.Add(container.NewBorder(nil, nil, wide(128, strong(k.key)), nil, plain(tr(k.does))))
	}
	w.open(&sheet{title: tr("Keys"), body: rows, buttons: []fyne.CanvasObject{primary("Close", w.closeSheet)}})
}

// help hands F1 to the window: Fyne gives keys to what has the focus alone.
func help(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); e.Name == fyne.KeyF1 && c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}
