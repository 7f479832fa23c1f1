package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/present"
)

// marks are drawn on a 16 by 16 grid and tinted by the theme.
var marks = map[present.Mark]fyne.Resource{
	present.MarkReady:  mark("ready", colorMuted, `<circle cx="8" cy="8" r="5"/>`),
	present.MarkBusy:   mark("busy", theme.ColorNameForeground, `<path d="M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12zm0 1.6v8.8a4.4 4.4 0 0 1 0-8.8z"/>`),
	present.MarkPaused: mark("paused", colorMuted, `<path d="M4 3h3v10H4zM9 3h3v10H9z"/>`),
	present.MarkNeeds:  mark("needs", theme.ColorNameWarning, `<path d="M8 1.5L15.2 14H0.8zM7.2 6v4h1.6V6zM7.2 11v1.6h1.6V11z" fill-rule="evenodd"/>`),
	present.MarkGone:   mark("gone", colorMuted, `<path d="M8 3a5 5 0 1 0 0 10a5 5 0 0 0 0-10zm0 1.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7z" fill-rule="evenodd"/>`),
}

func mark(name string, c fyne.ThemeColorName, shape string) fyne.Resource {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">` + shape + `</svg>`
	return theme.NewColoredResource(fyne.NewStaticResource("mark-"+name+".svg", []byte(svg)), c)
}

// glyph draws a line icon on a 20 by 20 grid, for the sidebar.
func glyph(name, shape string) fyne.Resource {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20"><g fill="none" stroke="#000000" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">` +
		shape + `</g></svg>`
	return theme.NewColoredResource(fyne.NewStaticResource("page-"+name+".svg", []byte(svg)), theme.ColorNameForeground)
}
