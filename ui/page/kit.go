package page

import (
	"strings"

	"fyne.io/fyne/v2"

	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

// newEntry makes a single-line field with the window's shortcuts. escape may be nil.
func (w *Window) newEntry(value string, escape func()) *widget.Entry {
	e := widget.NewEntry(value, escape)
	e.Shortcut, e.Keys[fyne.KeyF1] = w.Shortcut, w.ShowKeys
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

func HintOf(key string, does present.Text) widget.Hint {
	return widget.Hint{Key: KeyName(key), Does: tr(does)}
}

func KeyName(keys string) string            { return strings.Replace(keys, "Ctrl", tr("Ctrl"), 1) }
func tr(t present.Text, args ...any) string { return present.T(t, args...) }

func NewButton(label present.Text, tapped func()) *widget.Button {
	return widget.NewButton(tr(label), tapped)
}

func Primary(label present.Text, tapped func()) *widget.Button {
	return NewButton(label, tapped).As(widget.ToneMain)
}

func Link(label present.Text, tapped func()) *widget.Button {
	return NewButton(label, tapped).As(widget.ToneLink)
}

func newSegments(keys []present.Text, chosen present.Text, changed func(present.Text)) *widget.Segments[present.Text] {
	return widget.NewSegments(keys, func(k present.Text) string { return tr(k) }, chosen, changed)
}

func (w *Window) NewChooser(options []widget.Option, chosen string, changed func(key string)) *widget.Chooser {
	c := widget.NewChooser(options, chosen, changed)
	c.Escape, c.Filter, c.None = w.CloseSheet, tr("Filter"), tr("No match.")
	return c
}

// scrolled passes wheel events over a multi-line field to the open sheet.
func (w *Window) scrolled(e *fyne.ScrollEvent) {
	if w.Sheet != nil && w.Sheet.Scroll != nil {
		w.Sheet.Scroll.Scrolled(e)
	}
}
