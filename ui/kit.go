package ui

import (
	"fyne.io/fyne/v2"

	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func tr(t present.Text, args ...any) string { return present.T(t, args...) }
func newButton(label present.Text, tapped func()) *widget.Button {
	return widget.NewButton(tr(label), tapped)
}
func primary(label present.Text, tapped func()) *widget.Button {
	return newButton(label, tapped).As(widget.ToneMain)
}
func link(label present.Text, tapped func()) *widget.Button {
	return newButton(label, tapped).As(widget.ToneLink)
}

func newSegments(keys []present.Text, chosen present.Text, changed func(present.Text)) *widget.Segments[present.Text] {
	return widget.NewSegments(keys, func(k present.Text) string { return tr(k) }, chosen, changed)
}

func (w *Window) newChooser(options []widget.Option, chosen string, changed func(key string)) *widget.Chooser {
	c := widget.NewChooser(options, chosen, changed)
	c.Escape, c.Filter, c.None = w.closeSheet, tr("Filter"), tr("No match.")
	return c
}

// scrolled passes wheel events over a multi-line field to the open sheet.
func (w *Window) scrolled(e *fyne.ScrollEvent) {
	if w.sheet != nil && w.sheet.scroll != nil {
		w.sheet.scroll.Scrolled(e)
	}
}
