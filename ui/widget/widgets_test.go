package widget

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/highlight"
)

func TestStemsAreMarkedInProse(t *testing.T) {
	themed(t)
	x := NewExcerpt("", 0)
	x.Set("Rotating the token, untokenized", highlight.Question("rotated tokens").In)
	prose := ""
	for _, p := range slices.Concat(x.words...) {
		if p.marked {
			prose += p.text + " "
		}
	}
	if prose != "Rotating token " {
		t.Errorf("%q", prose)
	}
}

func TestCutCells(t *testing.T) {
	for _, test := range []struct{ line, term, want string }{
		{"        return token", "", "return token"},
		{"a line that is much too long", "", "a line that i…"},
		{"a line with the word far behind the token and more", "token", "…the token an…"},
		{"at its end is the token", "token", "…is the token"},
		{"a/path/with/token/inside", "token", "…ith/token/in…"},
		{"", "", ""},
		{"internationalization", "internationalization", "international…"},
	} {
		cells := Colour(test.line, "")[0]
		Mark(cells, highlight.Question(test.term).In)
		got := ""
		for _, c := range cutCells(cells, 14, false) {
			got += string(c.Rune)
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.line, got, test.want)
		}
		if start := cutCells(cells, 14, true); len(start) > 0 && start[0] == ellipsis {
			t.Errorf("%q: the beginning is left out", test.line)
		}
	}
}

func themed(t *testing.T) { test.NewTempApp(t).Settings().SetTheme(Theme{VariantLight}) }

func TestButtonLabelIsCut(t *testing.T) {
	themed(t)
	const whole = "ORunner.scala › ORunner › renderUsage › renderTwoColumnsUsage"
	b := NewButton(whole, func() {}).As(ToneLink)
	label := test.WidgetRenderer(b).Objects()[3].(*Text)
	for _, width := range []float32{120, b.MinSize().Width, 200, 900} {
		b.Resize(fyne.NewSize(width, ButtonHeight))
		left, right := label.Position().X, label.Position().X+label.Size().Width
		if left < 0 || right > width {
			t.Errorf("%v wide: the label goes from %v to %v", width, left, right)
		}
		if cut := strings.HasSuffix(drawn(label), "…"); cut != (width < b.MinSize().Width) {
			t.Errorf("%v wide: %q", width, drawn(label))
		}
	}
}

func drawn(t *Text) string { return test.WidgetRenderer(t).Objects()[0].(*canvas.Text).Text }

// TestNewRenderersAreLaidOut checks new renderers of sized widgets. Fyne drops the renderers of hidden widgets after a
// minute.
func TestNewRenderersAreLaidOut(t *testing.T) {
	themed(t)
	for _, w := range []fyne.Widget{NewFill(ColorTrack, 0), NewButton("Add folder", nil).As(ToneMain), NewSwitch(""),
		NewBar(), NewEntry("text", nil)} {
		w.Resize(fyne.NewSize(100, 32))
		again := w.CreateRenderer()
		for i, o := range test.WidgetRenderer(w).Objects() {
			if got := again.Objects()[i]; got.Size() != o.Size() || got.Position() != o.Position() {
				t.Errorf("%T: object %d has %v at %v, want %v at %v", w, i, got.Size(), got.Position(), o.Size(), o.Position())
			}
		}
	}
	l := NewListing(theme.SizeNameText)
	if l.Set([]SourceLine{{Cells: Colour("a_b", "")[0]}}, false); len(test.WidgetRenderer(l).Objects()) != 2 {
		t.Error("the underscore is not a line")
	}
}

func TestFiltered(t *testing.T) {
	all := []Option{{"a", "webapp", "~/code", nil}, {"b", "app", "~/code", nil}, {"c", "engine", "~/app", nil}}
	for text, want := range map[string]string{"": "abc", "app": "bac", "code": "ab", "APP code": "ba", "zz": ""} {
		got := ""
		for _, o := range filtered(all, text) {
			got += o.Key
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

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
		p := func(c fyne.ThemeColorName) color.NRGBA { return Theme{name}.Color(c, 0).(color.NRGBA) }
		grounds := []color.NRGBA{p(theme.ColorNameBackground), p(theme.ColorNameOverlayBackground)}
		for i, ground := range grounds {
			for _, test := range []struct {
				what  string
				color color.NRGBA
				least float64
			}{
				{"text", p(theme.ColorNameForeground), 7}, {"muted text", p(ColorMuted), 4.5},
				{"warnings", p(theme.ColorNameWarning), 4.5},
				{"outlines", p(theme.ColorNameInputBorder), 3}, {"the dot of what is ready", p(ColorReady), 3},
			} {
				if got := contrast(test.color, ground); got < test.least {
					t.Errorf("%s, ground %d: %s has %.2f:1, less than %.1f:1", name, i, test.what, got, test.least)
				}
			}
		}
		for i, ground := range grounds {
			chosen := color.NRGBAModel.Convert(over(ground, p(theme.ColorNameSelection))).(color.NRGBA)
			for _, c := range []fyne.ThemeColorName{ColorMuted, ColorKeyword, ColorString, colorNumber,
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

func TestCutTextKeepsItsLine(t *testing.T) {
	themed(t)
	name, folder := Strong("bash_completions_of_every_kind.go:712"), Caption("cobra")
	name.Keep = len(":712")
	place, drawn := Beside(name, folder), test.WidgetRenderer(name).Objects()[0].(*canvas.Text)
	place.Resize(fyne.NewSize(200, 20))
	if got := drawn.Text; !strings.HasPrefix(got, "bash_") || !strings.HasSuffix(got, "…:712") {
		t.Errorf("cut to %q", got)
	}
	if end := folder.Position().X + folder.Full(); end > 200 || end < 190 {
		t.Errorf("of 200 pixels %v are taken", end)
	}
	name.Inner = true
	inner := name.Fitting(180)
	if name.Short = "bash.go"; !strings.HasPrefix(inner, "bash_com") || name.Fitting(180) != "bash.go" {
		t.Errorf("cut in the middle to %q, shortened to %q", inner, name.Fitting(180))
	}
	if place.Resize(fyne.NewSize(12, 20)); drawn.Text != "" {
		t.Errorf("%q where nothing fits", drawn.Text)
	}
}
