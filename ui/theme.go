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
	colorComment fyne.ThemeColorName = "searchmcp-comment"
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

type palette map[fyne.ThemeColorName]color.NRGBA

func hex(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func translucent(v uint32, alpha uint8) color.NRGBA {
	c := hex(v)
	c.A = alpha
	return c
}

// The contrast is at least 7:1 for text, 4.5:1 for muted text and syntax (WCAG 2.2, AAA and AA), and 3:1 for outlines
// of controls (1.4.11).
var light = palette{
	theme.ColorNameBackground: hex(0xffffff), theme.ColorNameForeground: hex(0x1c2128),
	theme.ColorNameButton: hex(0xeceef1), theme.ColorNameDisabledButton: hex(0xf4f5f7),
	theme.ColorNameDisabled: hex(0x8b939e),
	theme.ColorNameHover:    translucent(0x1c2128, 0x10), theme.ColorNamePressed: translucent(0x1c2128, 0x22),
	theme.ColorNameFocus: translucent(0x2160c4, 0x55), theme.ColorNamePrimary: hex(0x2160c4),
	theme.ColorNameHyperlink:           hex(0x2160c4),
	theme.ColorNameForegroundOnPrimary: hex(0xffffff), theme.ColorNameSelection: translucent(0x2160c4, 0x2a),
	theme.ColorNameInputBackground: hex(0xf6f7f9), theme.ColorNameInputBorder: hex(0x868e99),
	theme.ColorNamePlaceHolder:    hex(0x69717d),
	theme.ColorNameMenuBackground: hex(0xffffff), theme.ColorNameOverlayBackground: hex(0xffffff),
	theme.ColorNameHeaderBackground: hex(0xf6f7f9),
	theme.ColorNameSeparator:        hex(0xe3e6ea), theme.ColorNameScrollBar: translucent(0x1c2128, 0x55),
	theme.ColorNameScrollBarBackground: translucent(0, 0),
	theme.ColorNameShadow:              translucent(0x1c2128, 0x33), theme.ColorNameWarning: hex(0x9a5400),
	theme.ColorNameForegroundOnWarning: hex(0xffffff),
	theme.ColorNameError:               hex(0xb3261e), theme.ColorNameForegroundOnError: hex(0xffffff),
	theme.ColorNameSuccess: hex(0x2f6f4f), theme.ColorNameForegroundOnSuccess: hex(0xffffff),
	colorMuted: hex(0x5b6470), colorSidebar: hex(0xf4f5f7), colorChosen: hex(0xe2e6ec), colorFound: hex(0xffe08a),
	colorBest:  hex(0xf1f5fc),
	colorTrack: hex(0xe3e6ea), colorReady: hex(0x3c8a63),
	colorDim: translucent(0xffffff, 0xa0), colorRing: hex(0x2160c4), colorStar: hex(0xb07800),
	colorVeil: translucent(0x1c2128, 0x40), colorShade: translucent(0x1c2128, 0x0a),
	colorKeyword: hex(0x7a3ea8), colorString: hex(0x2f6f3e), colorComment: hex(0x5b6470), colorNumber: hex(0x9a5400),
	colorName: hex(0x1d5bb5),
}

var dark = palette{
	theme.ColorNameBackground: hex(0x1d2025), theme.ColorNameForeground: hex(0xe6e9ee),
	theme.ColorNameButton: hex(0x31363e), theme.ColorNameDisabledButton: hex(0x272b31),
	theme.ColorNameDisabled: hex(0x747c88),
	theme.ColorNameHover:    translucent(0xffffff, 0x12), theme.ColorNamePressed: translucent(0xffffff, 0x26),
	theme.ColorNameFocus: translucent(0x8ab4f8, 0x66), theme.ColorNamePrimary: hex(0x8ab4f8),
	theme.ColorNameHyperlink:           hex(0x8ab4f8),
	theme.ColorNameForegroundOnPrimary: hex(0x10203a), theme.ColorNameSelection: translucent(0x8ab4f8, 0x34),
	theme.ColorNameInputBackground: hex(0x272b31), theme.ColorNameInputBorder: hex(0x747c88),
	theme.ColorNamePlaceHolder:    hex(0x9aa3af),
	theme.ColorNameMenuBackground: hex(0x272b31), theme.ColorNameOverlayBackground: hex(0x25292f),
	theme.ColorNameHeaderBackground: hex(0x25292f),
	theme.ColorNameSeparator:        hex(0x333941), theme.ColorNameScrollBar: translucent(0xffffff, 0x55),
	theme.ColorNameScrollBarBackground: translucent(0, 0),
	theme.ColorNameShadow:              translucent(0, 0x80), theme.ColorNameWarning: hex(0xf2b04b),
	theme.ColorNameForegroundOnWarning: hex(0x2b1a00),
	theme.ColorNameError:               hex(0xf28b82), theme.ColorNameForegroundOnError: hex(0x3a0b08),
	theme.ColorNameSuccess: hex(0x7fc8a0), theme.ColorNameForegroundOnSuccess: hex(0x0b2a1a),
	colorMuted: hex(0xadb5c0), colorSidebar: hex(0x17191d), colorChosen: hex(0x2b3038), colorFound: hex(0x6b5210),
	colorBest:  hex(0x272e3a),
	colorTrack: hex(0x3a4049), colorReady: hex(0x6fb58f),
	colorDim: translucent(0x1d2025, 0xa0), colorRing: hex(0xf2f6ff), colorStar: hex(0xf2c04b),
	colorVeil: translucent(0, 0x70), colorShade: translucent(0, 0x20),
	colorKeyword: hex(0xc9a3ee), colorString: hex(0x93cf9f), colorComment: hex(0xadb5c0), colorNumber: hex(0xf0b673),
	colorName: hex(0x8ab4f8),
}

func (t calm) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	p := light
	if t.want == VariantDark || (t.want != VariantLight && variant == theme.VariantDark) {
		p = dark
		variant = theme.VariantDark
	} else {
		variant = theme.VariantLight
	}
	if c, ok := p[name]; ok {
		return c
	}
	return theme.DefaultTheme().Color(name, variant)
}

func (calm) Font(s fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(s) }

func (calm) Icon(n fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(n) }

func (calm) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameText:
		return 14
	case theme.SizeNameCaptionText:
		return 12
	case theme.SizeNameHeadingText, theme.SizeNameSubHeadingText:
		return 20
	case theme.SizeNamePadding:
		return 4
	case theme.SizeNameInnerPadding:
		return 8
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 6
	case theme.SizeNameInlineIcon:
		return 18
	case theme.SizeNameScrollBar:
		return 10
	}
	return theme.DefaultTheme().Size(n)
}

type tight struct{}

func (tight) Color(n fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	return fyne.CurrentApp().Settings().Theme().Color(n, v)
}
func (tight) Font(s fyne.TextStyle) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Font(s)
}
func (tight) Icon(n fyne.ThemeIconName) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Icon(n)
}
func (tight) Size(n fyne.ThemeSizeName) float32 {
	if n == theme.SizeNameInnerPadding {
		return 0
	}
	return fyne.CurrentApp().Settings().Theme().Size(n)
}

type roomy struct{ tight }

func (roomy) Size(n fyne.ThemeSizeName) float32 {
	switch n {
	case theme.SizeNameText:
		return 16
	case theme.SizeNameInnerPadding:
		return 9
	case theme.SizeNameInlineIcon:
		return 22
	}
	return tight{}.Size(n)
}
