package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// segments is a choice of few, side by side: the chosen one stands on a ground.
type segments struct {
	box     fyne.CanvasObject
	keys    []string
	buttons []*button
	changed func(key string)
}

// newSegments makes a choice among keys, which are their own texts.
func newSegments(keys []string, chosen string, changed func(key string)) *segments {
	s := &segments{keys: keys}
	row := container.NewHBox()
	for _, k := range keys {
		b := link(k, func() { s.choose(k) })
		s.buttons = append(s.buttons, b)
		row.Add(b)
	}
	s.box = row
	s.choose(chosen)
	s.changed = changed
	return s
}

func (s *segments) choose(key string) {
	for i, b := range s.buttons {
		importance := widget.LowImportance
		if s.keys[i] == key {
			importance = widget.MediumImportance
		}
		if b.Importance != importance {
			b.Importance = importance
			b.Refresh()
		}
	}
	if s.changed != nil {
		s.changed(key)
	}
}
