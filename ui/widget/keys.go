package widget

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type KeyCap struct {
	widget.BaseWidget
	text   *Text
	Ground *Fill
}

func NewKeyCap(name string) *KeyCap {
	k := &KeyCap{text: Caption(name), Ground: NewFill(theme.ColorNameButton, 4)}
	k.text.Align, k.Ground.Hidden = fyne.TextAlignCenter, name == ""
	k.ExtendBaseWidget(k)
	return k
}

func (k *KeyCap) Set(name string, key bool) {
	k.Ground.Hidden = !key
	k.text.Set(name)
	k.Refresh()
}

func (k *KeyCap) MinSize() fyne.Size {
	side := float32(1)
	if !k.Ground.Hidden {
		side = 12
	}
	return fyne.NewSize(k.text.Full()+side, 20)
}

func (k *KeyCap) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(k.Ground, Centred(k.text)))
}

type Hint struct{ Key, Does string }

type KeyHints struct {
	All []Hint
	Box *fyne.Container
}

func NewKeyHints(all ...Hint) *KeyHints {
	k := &KeyHints{Box: container.New(hintLayout{})}
	k.Set(all)
	return k
}

func (k *KeyHints) Set(all []Hint) {
	if slices.Equal(k.All, all) {
		return
	}
	k.All, k.Box.Objects = all, nil
	for _, h := range all {
		k.Box.Add(NewKeyCap(h.Key))
		k.Box.Add(WholeCaption(h.Does))
	}
	k.Box.Refresh()
}

type hintLayout struct{}

func (hintLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 24) }

func (hintLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i := 0; i+1 < len(o); i += 2 {
		key, does := o[i].MinSize(), o[i+1].MinSize()
		end := x + key.Width + 6 + does.Width
		o[i].(*KeyCap).Hidden, o[i+1].(*Text).Hidden = end > size.Width, end > size.Width
		o[i].Resize(key)
		o[i].Move(fyne.NewPos(x, (size.Height-key.Height)/2))
		o[i+1].Resize(does)
		o[i+1].Move(fyne.NewPos(x+key.Width+6, (size.Height-does.Height)/2))
		x = end + GapGroup
	}
}

func FootLine(hints fyne.CanvasObject, t *Text) *fyne.Container {
	return container.NewBorder(nil, nil, nil, Pad(0, 0, GapSmall, 0, Centred(t)), hints)
}
