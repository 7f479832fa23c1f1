package ui

import (
	"fmt"
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

const (
	colorMuted   fyne.ThemeColorName = "searchmcp-muted"
	colorSidebar fyne.ThemeColorName = "searchmcp-sidebar"
	colorChosen  fyne.ThemeColorName = "searchmcp-chosen"
	colorFound   fyne.ThemeColorName = "searchmcp-found"
	colorBest    fyne.ThemeColorName = "searchmcp-best"
	colorTrack   fyne.ThemeColorName = "searchmcp-track"
	colorReady   fyne.ThemeColorName = "searchmcp-ready"
	colorDim     fyne.ThemeColorName = "searchmcp-dim"
	colorVeil    fyne.ThemeColorName = "searchmcp-veil"
	colorShade   fyne.ThemeColorName = "searchmcp-shade"
	colorRing    fyne.ThemeColorName = "searchmcp-ring"
	colorStar    fyne.ThemeColorName = "searchmcp-star"

	colorKeyword fyne.ThemeColorName = "searchmcp-keyword"
	colorString  fyne.ThemeColorName = "searchmcp-string"
	colorNumber  fyne.ThemeColorName = "searchmcp-number"
	colorName    fyne.ThemeColorName = "searchmcp-name"
)

// The gaps inside rows, between groups and around a page, on a grid of 4 pixels.
const (
	gapSmall = 8
	gapGroup = 16
	gapPage  = 24

	leastColumn  = 500 // minimum width of a column of groups
	sidebarWidth = 176
	sheetWidth   = 416
)

type Variant string

const (
	VariantSystem Variant = "system"
	VariantLight  Variant = "light"
	VariantDark   Variant = "dark"
)

type calm struct{ want Variant }

// colors are the RGBA values in the light and the dark theme. The contrast is at least 7:1 for text, 4.5:1 for muted
// text and syntax (WCAG 2.2, AAA and AA), and 3:1 for outlines of controls (1.4.11).
var colors = map[fyne.ThemeColorName][2]uint32{
	theme.ColorNameBackground: {0xffffffff, 0x1d2025ff}, theme.ColorNameForeground: {0x1c2128ff, 0xe6e9eeff},
	theme.ColorNameButton: {0xeceef1ff, 0x31363eff}, theme.ColorNameDisabledButton: {0xf4f5f7ff, 0x272b31ff},
	theme.ColorNameDisabled: {0x8b939eff, 0x747c88ff}, theme.ColorNameHover: {0x1c212810, 0xffffff12},
	theme.ColorNamePressed: {0x1c212822, 0xffffff26}, theme.ColorNameFocus: {0x2160c455, 0x8ab4f866},
	theme.ColorNamePrimary: {0x2160c4ff, 0x8ab4f8ff}, theme.ColorNameForegroundOnPrimary: {0xffffffff, 0x10203aff},
	theme.ColorNameSelection: {0x2160c42a, 0x8ab4f834}, theme.ColorNameInputBackground: {0xf6f7f9ff, 0x272b31ff},
	theme.ColorNameInputBorder: {0x868e99ff, 0x747c88ff}, theme.ColorNamePlaceHolder: {0x69717dff, 0x9aa3afff},
	theme.ColorNameMenuBackground:    {0xffffffff, 0x272b31ff},
	theme.ColorNameOverlayBackground: {0xffffffff, 0x25292fff}, theme.ColorNameSeparator: {0xe3e6eaff, 0x333941ff},
	theme.ColorNameScrollBar: {0x1c212855, 0xffffff55}, theme.ColorNameScrollBarBackground: {0x00000000, 0x00000000},
	theme.ColorNameShadow: {0x1c212833, 0x00000080}, theme.ColorNameWarning: {0x9a5400ff, 0xf2b04bff},
	theme.ColorNameError: {0xb3261eff, 0xf28b82ff}, theme.ColorNameForegroundOnError: {0xffffffff, 0x3a0b08ff},
	colorMuted: {0x5b6470ff, 0xadb5c0ff}, colorSidebar: {0xf4f5f7ff, 0x17191dff},
	colorChosen: {0xe2e6ecff, 0x2b3038ff}, colorFound: {0xffe08aff, 0x6b5210ff}, colorBest: {0xf1f5fcff, 0x272e3aff},
	colorTrack: {0xe3e6eaff, 0x3a4049ff}, colorReady: {0x3c8a63ff, 0x6fb58fff}, colorDim: {0xffffffa0, 0x1d2025a0},
	colorRing: {0x2160c4ff, 0xf2f6ffff}, colorStar: {0xb07800ff, 0xf2c04bff}, colorVeil: {0x1c212840, 0x00000070},
	colorShade: {0x1c21280a, 0x00000020}, colorKeyword: {0x7a3ea8ff, 0xc9a3eeff},
	colorString: {0x2f6f3eff, 0x93cf9fff}, colorNumber: {0x9a5400ff, 0xf0b673ff}, colorName: {0x1d5bb5ff, 0x8ab4f8ff},
}

func (t calm) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	switch t.want {
	case VariantLight:
		variant = theme.VariantLight
	case VariantDark:
		variant = theme.VariantDark
	}
	if c, ok := colors[name]; ok {
		v := c[0]
		if variant == theme.VariantDark {
			v = c[1]
		}
		return color.NRGBA{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}
	}
	return theme.DefaultTheme().Color(name, variant)
}

func (calm) Font(s fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(s) }

func (calm) Icon(n fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(n) }

var sizes = resized{
	theme.SizeNameText: 14, theme.SizeNameCaptionText: 12, theme.SizeNameHeadingText: 20,
	theme.SizeNameSubHeadingText: 20, theme.SizeNamePadding: 4, theme.SizeNameInnerPadding: 8,
	theme.SizeNameInputRadius: 6, theme.SizeNameSelectionRadius: 6, theme.SizeNameInlineIcon: 18,
	theme.SizeNameScrollBar: 10,
}

func (calm) Size(n fyne.ThemeSizeName) float32 {
	if size, ok := sizes[n]; ok {
		return size
	}
	return theme.DefaultTheme().Size(n)
}

// resized is the current theme with other sizes.
type resized map[fyne.ThemeSizeName]float32

var (
	tight = resized{theme.SizeNameInnerPadding: 0} // for wrapped text
	roomy = resized{theme.SizeNameText: 16, theme.SizeNameInnerPadding: 9, theme.SizeNameInlineIcon: 22}
)

func (resized) Color(n fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color { return shade(n) }
func (resized) Font(s fyne.TextStyle) fyne.Resource                          { return theme.DefaultTheme().Font(s) }
func (resized) Icon(n fyne.ThemeIconName) fyne.Resource                      { return theme.DefaultTheme().Icon(n) }

func (r resized) Size(n fyne.ThemeSizeName) float32 {
	if size, ok := r[n]; ok {
		return size
	}
	return fyne.CurrentApp().Settings().Theme().Size(n)
}

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
			return glyph{"editor-" + id, shape}
		}
	}
	return glyph{"editor-", `<path d="M7 6L3 10l4 4M13 6l4 4l-4 4"/>`}
}

func editorMark(name string) fyne.CanvasObject {
	return container.New(fixed{24, 24}, widget.NewIcon(editorGlyph(name)))
}

func flat(s string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(s))
}
