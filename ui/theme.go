package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

const (
	colorMuted   fyne.ThemeColorName = "searchmcp-muted"   // second lines, labels
	colorSidebar fyne.ThemeColorName = "searchmcp-sidebar" // background of the sidebar
	colorChosen  fyne.ThemeColorName = "searchmcp-chosen"  // the current page
	colorFound   fyne.ThemeColorName = "searchmcp-found"   // background of a match
	colorBest    fyne.ThemeColorName = "searchmcp-best"    // background of the best line
	colorTrack   fyne.ThemeColorName = "searchmcp-track"   // empty part of a bar
	colorReady   fyne.ThemeColorName = "searchmcp-ready"   // icon of a ready state
	colorDim     fyne.ThemeColorName = "searchmcp-dim"     // over outdated results
	colorVeil    fyne.ThemeColorName = "searchmcp-veil"    // below a dialog
	colorShade   fyne.ThemeColorName = "searchmcp-shade"   // one layer of a shadow
	colorRing    fyne.ThemeColorName = "searchmcp-ring"    // focus ring
	colorStar    fyne.ThemeColorName = "searchmcp-star"    // saved query

	colorKeyword fyne.ThemeColorName = "searchmcp-keyword"
	colorString  fyne.ThemeColorName = "searchmcp-string"
	colorNumber  fyne.ThemeColorName = "searchmcp-number"
	colorName    fyne.ThemeColorName = "searchmcp-name" // functions and types
)

// The gaps inside rows, between groups and around a page, on a grid of 4 pixels.
const (
	gapSmall = 8
	gapGroup = 16
	gapPage  = 24

	leastColumn  = 500 // least width of a column of groups
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

var _ fyne.Theme = calm{}

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
