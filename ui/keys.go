package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

var shortcutKeys = []hint{
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
	rows := column(gapSmall)
	for _, k := range shortcutKeys {
		rows.Add(container.NewBorder(nil, nil, wide(128, row(newKeyCap(k.key))), nil, plain(tr(k.does))))
	}
	w.open(&sheet{title: tr("Keys"), body: rows, buttons: []fyne.CanvasObject{primary("Close", w.closeSheet)}})
}

// help passes F1 to the window, because Fyne sends keys to the focused widget only.
func help(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); e.Name == fyne.KeyF1 && c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

type keyCap struct {
	widget.BaseWidget
	text   *text
	ground *fill
}

func newKeyCap(name string) *keyCap {
	k := &keyCap{text: caption(keyName(name)), ground: newFill(theme.ColorNameButton, 4)}
	k.text.align, k.ground.Hidden = fyne.TextAlignCenter, name == ""
	k.ExtendBaseWidget(k)
	return k
}

func keyName(keys string) string { return strings.Replace(keys, "Ctrl", tr("Ctrl"), 1) }

func (k *keyCap) set(name string, key bool) {
	if k.ground.Hidden = !key; key {
		name = keyName(name)
	}
	k.text.set(name)
	k.Refresh()
}

func (k *keyCap) MinSize() fyne.Size {
	side := float32(1)
	if !k.ground.Hidden {
		side = 12
	}
	return fyne.NewSize(k.text.full()+side, 20)
}

func (k *keyCap) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(k.ground, centred(k.text)))
}

type hint struct {
	key  string
	does present.Text
}

type keyHints struct {
	all []hint
	box *fyne.Container
}

func newKeyHints(all ...hint) *keyHints {
	k := &keyHints{box: container.New(hintLayout{})}
	k.set(all)
	return k
}

func (k *keyHints) set(all []hint) {
	if slices.Equal(k.all, all) {
		return
	}
	k.all, k.box.Objects = all, nil
	for _, h := range all {
		k.box.Add(newKeyCap(h.key))
		k.box.Add(caption2(tr(h.does)))
	}
	k.box.Refresh()
}

type hintLayout struct{}

func (hintLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 24) }

func (hintLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i := 0; i+1 < len(o); i += 2 {
		key, does := o[i].MinSize(), o[i+1].MinSize()
		end := x + key.Width + 6 + does.Width
		o[i].(*keyCap).Hidden, o[i+1].(*text).Hidden = end > size.Width, end > size.Width
		o[i].Resize(key)
		o[i].Move(fyne.NewPos(x, (size.Height-key.Height)/2))
		o[i+1].Resize(does)
		o[i+1].Move(fyne.NewPos(x+key.Width+6, (size.Height-does.Height)/2))
		x = end + gapGroup
	}
}

func footLine(hints fyne.CanvasObject, t *text) *fyne.Container {
	return container.NewBorder(nil, nil, nil, pad(0, 0, gapSmall, 0, centred(t)), hints)
}
