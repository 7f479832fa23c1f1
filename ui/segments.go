package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"searchmcp/ui/present"
)

type segments struct {
	box     *fyne.Container
	keys    []present.Text
	buttons []*button
	changed func(key present.Text)
}

func newSegments(keys []present.Text, chosen present.Text, changed func(key present.Text)) *segments {
	s := &segments{keys: keys}
	line := container.New(layout.NewCustomPaddedHBoxLayout(0))
	for _, k := range keys {
		b := newButton(k, func() { s.choose(k) })
		s.buttons = append(s.buttons, b)
		line.Add(b)
	}
	s.box = line
	s.choose(chosen)
	s.changed = changed
	return s
}

func (s *segments) choose(key present.Text) {
	for i, b := range s.buttons {
		if s.keys[i] == key {
			b.setTone(toneChosen)
		} else {
			b.setTone(toneTool)
		}
	}
	if s.changed != nil {
		s.changed(key)
	}
}
