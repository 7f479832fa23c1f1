package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/present"
)

var marks = map[present.Mark]fyne.Resource{
	present.MarkReady: mark("ready", colorReady, `<circle cx="8" cy="8" r="5"/>`),
	present.MarkBusy: mark("busy", theme.ColorNameForeground,
		`<path d="M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12zm0 1.6v8.8a4.4 4.4 0 0 1 0-8.8z"/>`),
	present.MarkPaused: mark("paused", colorMuted, `<path d="M4 3h3v10H4zM9 3h3v10H9z"/>`),
	present.MarkNeeds: mark("needs", theme.ColorNameWarning,
		`<path d="M8 1.5L15.2 14H0.8zM7.2 6v4h1.6V6zM7.2 11v1.6h1.6V11z" fill-rule="evenodd"/>`),
	present.MarkNone: mark("none", colorMuted, `<path d="M4 7.2h8v1.6H4z"/>`),
	present.MarkGone: mark("gone", colorMuted,
		`<path d="M8 3a5 5 0 1 0 0 10a5 5 0 0 0 0-10zm0 1.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7z" fill-rule="evenodd"/>`),
}

func mark(name string, c fyne.ThemeColorName, shape string) fyne.Resource {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">` + shape + `</svg>`
	return theme.NewColoredResource(fyne.NewStaticResource("mark-"+name+".svg", []byte(svg)), c)
}

// glyph is a 20 by 20 line icon in the text colour. It colours its strokes, because Fyne colours only fills.
type glyph struct{ name, shape string }

func (g glyph) color() string {
	r, gr, b, _ := shade(theme.ColorNameForeground).RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, gr>>8, b>>8)
}

// Name includes the colour, because Fyne caches images by name.
func (g glyph) Name() string { return "page-" + g.name + g.color() + ".svg" }

func (g glyph) Content() []byte {
	// Fyne's SVG renderer does not inherit attributes of groups.
	pen := ` fill="none" stroke="` + g.color() + `" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/>`
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20">` +
		strings.ReplaceAll(g.shape, "/>", pen) + `</svg>`)
}
