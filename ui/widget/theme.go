package widget

import (
	"fmt"
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

const (
	ColorMuted   fyne.ThemeColorName = "searchmcp-muted"
	ColorSidebar fyne.ThemeColorName = "searchmcp-sidebar"
	colorChosen  fyne.ThemeColorName = "searchmcp-chosen"
	ColorFound   fyne.ThemeColorName = "searchmcp-found"
	colorBest    fyne.ThemeColorName = "searchmcp-best"
	ColorTrack   fyne.ThemeColorName = "searchmcp-track"
	ColorReady   fyne.ThemeColorName = "searchmcp-ready"
	ColorDim     fyne.ThemeColorName = "searchmcp-dim"
	colorVeil    fyne.ThemeColorName = "searchmcp-veil"
	colorRing    fyne.ThemeColorName = "searchmcp-ring"
	ColorStar    fyne.ThemeColorName = "searchmcp-star"

	ColorKeyword fyne.ThemeColorName = "searchmcp-keyword"
	ColorString  fyne.ThemeColorName = "searchmcp-string"
	colorNumber  fyne.ThemeColorName = "searchmcp-number"
	colorName    fyne.ThemeColorName = "searchmcp-name"
)

// Gaps in pixels: inside rows, between groups and around a page.
const (
	GapSmall    = 8
	GapGroup    = 16
	GapPage     = 24
	leastColumn = 500
)

type Variant string

const (
	VariantSystem Variant = "system"
	VariantLight  Variant = "light"
	VariantDark   Variant = "dark"
)

type Theme struct{ Want Variant }

// colors are the RGBA values in the light and the dark theme. The contrast is at least 7:1 for text (WCAG 2.2 AAA),
// 4.5:1 for muted text and syntax (AA), and 3:1 for outlines of controls (1.4.11).
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
	ColorMuted: {0x5b6470ff, 0xadb5c0ff}, ColorSidebar: {0xf4f5f7ff, 0x17191dff},
	colorChosen: {0xe2e6ecff, 0x2b3038ff}, ColorFound: {0xffe08aff, 0x6b5210ff}, colorBest: {0xf1f5fcff, 0x272e3aff},
	ColorTrack: {0xe3e6eaff, 0x3a4049ff}, ColorReady: {0x3c8a63ff, 0x6fb58fff}, ColorDim: {0xffffffa0, 0x1d2025a0},
	colorRing: {0x2160c4ff, 0xf2f6ffff}, ColorStar: {0xb07800ff, 0xf2c04bff}, colorVeil: {0x1c212840, 0x00000070},
	ColorKeyword: {0x7a3ea8ff, 0xc9a3eeff},
	ColorString:  {0x2f6f3eff, 0x93cf9fff}, colorNumber: {0x9a5400ff, 0xf0b673ff}, colorName: {0x1d5bb5ff, 0x8ab4f8ff},
}

func (t Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	switch t.Want {
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

func (Theme) Font(s fyne.TextStyle) fyne.Resource     { return theme.DefaultTheme().Font(s) }
func (Theme) Icon(n fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(n) }

var sizes = resized{
	theme.SizeNameText: 14, theme.SizeNameCaptionText: 12, theme.SizeNameHeadingText: 20,
	theme.SizeNameSubHeadingText: 20, theme.SizeNamePadding: 4, theme.SizeNameInnerPadding: 8,
	theme.SizeNameInputRadius: 6, theme.SizeNameSelectionRadius: 6, theme.SizeNameInlineIcon: 18,
	theme.SizeNameScrollBar: 10,
}

func (Theme) Size(n fyne.ThemeSizeName) float32 {
	if size, ok := sizes[n]; ok {
		return size
	}
	return theme.DefaultTheme().Size(n)
}

type resized map[fyne.ThemeSizeName]float32

var roomy = resized{theme.SizeNameText: 16, theme.SizeNameInnerPadding: 9, theme.SizeNameInlineIcon: 22}

// Large shows an entry with larger text. It does not refresh the ThemeOverride, because Fyne would load all fonts again
// and keep the old ones.
type Large struct {
	widget.BaseWidget
	in *container.ThemeOverride
}

func NewLarge(e *Entry) *Large { return extended(&Large{in: container.NewThemeOverride(e, roomy)}) }

func (l *Large) Inner() fyne.CanvasObject            { return l.in.Content }
func (l *Large) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(l.in) }
func (l *Large) Refresh()                            { l.in.Content.Refresh() }

func (resized) Color(n fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color { return shade(n) }
func (resized) Font(s fyne.TextStyle) fyne.Resource                          { return theme.DefaultTheme().Font(s) }
func (resized) Icon(n fyne.ThemeIconName) fyne.Resource                      { return theme.DefaultTheme().Icon(n) }

func (r resized) Size(n fyne.ThemeSizeName) float32 {
	if size, ok := r[n]; ok {
		return size
	}
	return fyne.CurrentApp().Settings().Theme().Size(n)
}

func Sign(name string, c fyne.ThemeColorName, shape string) fyne.Resource {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">` + shape + `</svg>`
	return theme.NewColoredResource(fyne.NewStaticResource("mark-"+name+".svg", []byte(svg)), c)
}

// glyph is a 20 by 20 line icon in the text colour. It colours its strokes itself, because Fyne colours only fills.
type glyph struct{ name, shape string }

func LineIcon(name, shape string) fyne.Resource { return glyph{name, shape} }

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
