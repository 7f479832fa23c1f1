package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

// segments is a choice of few, side by side: the chosen one stands on a ground.
type segments struct {
	box     fyne.CanvasObject
	keys    []present.Text
	buttons []*button
	changed func(key present.Text)
}

// newSegments makes a choice among keys, which are what it says.
func newSegments(keys []present.Text, chosen present.Text, changed func(key present.Text)) *segments {
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

func (s *segments) choose(key present.Text) {
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
