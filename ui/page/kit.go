package page

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func (w *Window) newEntry(value string, escape func()) *widget.Entry {
	e := widget.NewEntry(value, escape)
	e.Shortcut, e.Keys[fyne.KeyF1] = w.frame.Shortcut, w.frame.ShowKeys
	return e
}

// newLines returns a monospaced multi-line field. Callers put a wheel over it.
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

func KeyName(keys string) string { return strings.Replace(keys, "Ctrl", tr("Ctrl"), 1) }

// fresh reports whether values differ from those of the last call, which last contains as a string.
func fresh(last *string, values ...any) bool {
	before := *last
	*last = fmt.Sprint(values...)
	return *last != before
}

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
	c.Escape, c.Filter, c.None = w.CloseSheet, tr("Filter"), tr("No matches.")
	return c
}

func (w *Window) scrolled(e *fyne.ScrollEvent) {
	if w.Sheet != nil && w.Sheet.Scroll != nil {
		w.Sheet.Scroll.Scrolled(e)
	}
}

var Marks = map[present.Mark]fyne.Resource{
	present.MarkReady: widget.Sign("ready", widget.ColorReady, `<circle cx="8" cy="8" r="5"/>`),
	present.MarkBusy: widget.Sign("busy", theme.ColorNameForeground,
		`<path d="M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12zm0 1.6v8.8a4.4 4.4 0 0 1 0-8.8z"/>`),
	present.MarkPaused: widget.Sign("paused", widget.ColorMuted, `<path d="M4 3h3v10H4zM9 3h3v10H9z"/>`),
	present.MarkNeeds: widget.Sign("needs", theme.ColorNameWarning,
		`<path d="M8 1.5L15.2 14H0.8zM7.2 6v4h1.6V6zM7.2 11v1.6h1.6V11z" fill-rule="evenodd"/>`),
	present.MarkNone: widget.Sign("none", widget.ColorMuted, `<path d="M4 7.2h8v1.6H4z"/>`),
	present.MarkGone: widget.Sign("gone", widget.ColorMuted,
		`<path d="M8 3a5 5 0 1 0 0 10a5 5 0 0 0 0-10zm0 1.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7z" fill-rule="evenodd"/>`),
}

// editorGlyphs are our own drawings for editors, not their logos.
var editorGlyphs = map[string]string{
	"claude-code":    `<path d="M3 5l4 4l-4 4M8 15h5"/><path d="M14.5 3v6M11.5 6h6"/>`,
	"claude-desktop": `<path d="M3 4h14v10H9l-4 3v-3H3z"/><path d="M10 6.5v5M7.5 9h5"/>`,
	"cursor":         `<path d="M5 3l10 7l-5 1l-2 5z"/>`,
	"vscode":         `<path d="M3 4h14v12H3zM7 4v12M10 8h4M10 11h3"/>`,
	"windsurf":       `<path d="M9 3v11M9 3c4 2 6 6 6 11H9M3 17h14"/>`,
	"zed":            `<path d="M5 5h10L5 15h10"/>`,
	"antigravity":    `<path d="M10 16V5M5.5 9.5L10 5l4.5 4.5M5 17.5h10"/>`,
	"jetbrains":      `<path d="M3 3h14v14H3zM6 14h4M9 6v4H6.5M12 6v4h2"/>`,
	"codex":          `<path d="M10 2.5l6.5 3.7v7.6L10 17.5l-6.5-3.7V6.2zM7 8l2 2l-2 2M11 12h2.5"/>`,
	"gemini":         `<path d="M10 2.5c.6 4.6 2.9 6.9 7.5 7.5c-4.6.6-6.9 2.9-7.5 7.5c-.6-4.6-2.9-6.9-7.5-7.5c4.6-.6 6.9-2.9 7.5-7.5z"/>`,
	"qwen":           `<circle cx="10" cy="10" r="6.5"/><path d="M11.5 11.5L17 17"/>`,
	"copilot":        `<path d="M3 8c0-3 3-4 7-4s7 1 7 4v4c0 3-3 4-7 4s-7-1-7-4zM10 8v3M6 11v1M14 11v1"/>`,
	"cline":          `<path d="M4 7h12v8H4zM10 7V4M8 10.5v1M12 10.5v1"/>`,
	"continue":       `<path d="M4 5l5 5l-5 5M11 5l5 5l-5 5"/>`,
	"goose":          `<path d="M6 5.5c0-2 4-2.500 4.500.5c.5 3-2 5-.500 8c1 2 4 2.500 6.500 2H6c-2-1-3-3-2-5M6 5.500L3 6.500"/>`,
	"opencode":       `<path d="M4 4h12v12H4zM8 8h4v4H8z"/>`,
	"other":          `<path d="M10 4v12M4 10h12"/>`,
	"note":           `<path d="M5 3h7l3.5 3.5V17H5zM8 9.5h4.5M8 13h4.5"/>`,
	"amp":            `<path d="M11 2.500L5 11h4l-1 6.500L15 8h-4z"/>`,
}

func editorGlyph(name string) fyne.Resource {
	for id, shape := range editorGlyphs {
		if strings.HasPrefix(flat(name), flat(id)) {
			return widget.LineIcon("editor-"+id, shape)
		}
	}
	return widget.LineIcon("editor-", `<path d="M7 6L3 10l4 4M13 6l4 4l-4 4"/>`)
}

func editorMark(name string) fyne.CanvasObject {
	return container.New(widget.Sized{Width: 24, Height: 24}, fynewidget.NewIcon(editorGlyph(name)))
}

func flat(s string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(s))
}
