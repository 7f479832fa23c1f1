package ui

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

func luminance(c color.NRGBA) float64 {
	part := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	for _, name := range []Variant{VariantLight, VariantDark} {
		p := func(c fyne.ThemeColorName) color.NRGBA { return calm{name}.Color(c, 0).(color.NRGBA) }
		grounds := []color.NRGBA{p(theme.ColorNameBackground), p(theme.ColorNameOverlayBackground)}
		for i, ground := range grounds {
			for _, test := range []struct {
				what  string
				color color.NRGBA
				least float64
			}{
				{"text", p(theme.ColorNameForeground), 7}, {"muted text", p(colorMuted), 4.5},
				{"warnings", p(theme.ColorNameWarning), 4.5},
				{"outlines", p(theme.ColorNameInputBorder), 3}, {"the dot of what is ready", p(colorReady), 3},
			} {
				if got := contrast(test.color, ground); got < test.least {
					t.Errorf("%s, ground %d: %s has %.2f:1, less than %.1f:1", name, i, test.what, got, test.least)
				}
			}
		}
		for i, ground := range grounds {
			chosen := color.NRGBAModel.Convert(over(ground, p(theme.ColorNameSelection))).(color.NRGBA)
			for _, c := range []fyne.ThemeColorName{colorMuted, colorKeyword, colorString, colorNumber,
				colorName, theme.ColorNameWarning} {
				if got := contrast(p(c), chosen); got < 4.5 {
					t.Errorf("%s, ground %d: %s has %.2f:1 on a chosen row", name, i, c, got)
				}
			}
		}
		if got := contrast(p(theme.ColorNameInputBorder), p(theme.ColorNameInputBackground)); got < 3 {
			t.Errorf("%s: a box's outline has %.2f:1 to its inside", name, got)
		}
	}
}

func over(below, above color.Color) color.Color {
	r1, g1, b1, a1 := below.RGBA()
	r2, g2, b2, a2 := above.RGBA()
	mix := func(below, above uint32) uint8 { return uint8((above + below*(0xffff-a2)/0xffff) >> 8) }
	return color.RGBA{R: mix(r1, r2), G: mix(g1, g2), B: mix(b1, b2), A: mix(a1, a2)}
}
