package ui

import (
	"regexp"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

func tr(t present.Text, args ...any) string { return present.T(t, args...) }

type text struct {
	widget.BaseWidget
	value string
	size  fyne.ThemeSizeName
	color fyne.ThemeColorName
	style fyne.TextStyle
	align fyne.TextAlign
	elide bool
	whole bool // cuts only between the parts that " · " separates, if the first part fits
	keep  int  // runes at the end that are never cut, such as a line number
}

func newText(value string, size fyne.ThemeSizeName, c fyne.ThemeColorName, bold bool) *text {
	t := &text{value: value, size: size, color: c, elide: true}
	t.style.Bold = bold
	t.ExtendBaseWidget(t)
	return t
}

func heading(s string) *text {
	return newText(s, theme.SizeNameHeadingText, theme.ColorNameForeground, true)
}
func strong(s string) *text  { return newText(s, theme.SizeNameText, theme.ColorNameForeground, true) }
func plain(s string) *text   { return newText(s, theme.SizeNameText, theme.ColorNameForeground, false) }
func muted(s string) *text   { return newText(s, theme.SizeNameText, colorMuted, false) }
func caption(s string) *text { return newText(s, theme.SizeNameCaptionText, colorMuted, false) }

func (t *text) set(value string) {
	if t.value != value {
		t.value = value
		t.Refresh()
	}
}

func (t *text) setColor(c fyne.ThemeColorName) {
	if t.color != c {
		t.color = c
		t.Refresh()
	}
}

func (t *text) full() float32 {
	return fyne.MeasureText(t.value, t.Theme().Size(t.size), t.style).Width
}

func (t *text) CreateRenderer() fyne.WidgetRenderer {
	drawn, area := canvas.NewText("", nil), newCutArea(t)
	fit := func(size fyne.Size) {
		drawn.Text = t.fitting(size.Width)
		area.Hidden = drawn.Text == t.value
	}
	return newDrawing(t, func() fyne.Size {
		size := fyne.MeasureText("Mg", drawn.TextSize, t.style)
		if size.Width = 0; !t.elide {
			size.Width = t.full()
		}
		return size
	}, func(size fyne.Size) {
		fit(size)
		drawn.Resize(size)
		area.Resize(size)
	}, func() {
		drawn.Color, drawn.TextSize = shade(t.color), t.Theme().Size(t.size)
		drawn.TextStyle, drawn.Alignment = t.style, t.align
		fit(t.Size())
		canvas.Refresh(drawn)
	}, drawn, area)
}

func (t *text) fitting(width float32) string {
	if !t.elide || t.full() <= width {
		return t.value
	}
	measure := func(s string) float32 { return fyne.MeasureText(s, t.Theme().Size(t.size), t.style).Width }
	if t.whole {
		parts := strings.Split(t.value, present.Separator)
		for n := len(parts) - 1; n > 0; n-- {
			if s := strings.Join(parts[:n], present.Separator); measure(s) <= width {
				return s
			}
		}
	}
	runes := []rune(t.value)
	head := len(runes) - min(t.keep, len(runes))
	end := "…" + string(runes[head:])
	fits := sort.Search(head, func(n int) bool {
		return measure(string(runes[:n+1])+end) > width
	})
	if fits == 0 {
		return ""
	}
	return string(runes[:fits]) + end
}

type paragraph struct {
	text  string
	words *widget.RichText
	style widget.RichTextStyle
	width float32 // width for which long words are broken
	box   *container.ThemeOverride
}

func newParagraph(s string, c fyne.ThemeColorName) *paragraph {
	p := &paragraph{style: widget.RichTextStyle{ColorName: c, SizeName: theme.SizeNameText}}
	p.words = widget.NewRichText()
	p.words.Wrapping = fyne.TextWrapWord
	p.box = container.NewThemeOverride(container.New(breaking{p}, p.words), tight)
	p.set(s)
	return p
}

func (p *paragraph) set(s string) {
	p.text = s
	p.words.Segments = []widget.RichTextSegment{&widget.TextSegment{Text: longWords.ReplaceAllStringFunc(s, p.broken),
		Style: p.style}}
	p.words.Refresh()
}

// longWords matches words that may not fit on a line, such as paths.
var longWords = regexp.MustCompile(`\S{20,}`)

func (p *paragraph) broken(word string) (lines string) {
	size := fyne.CurrentApp().Settings().Theme().Size(p.style.SizeName)
	fits := func(s string) bool { return fyne.MeasureText(s, size, p.style.TextStyle).Width <= p.width }
	for p.width > 0 && !fits(word) {
		at := 0
		for _, ends := range []string{`/\`, "-_.:,="} {
			for i := len(word) - 1; i > 0 && at == 0; i-- {
				if strings.IndexByte(ends, word[i-1]) >= 0 && fits(word[:i]) {
					at = i
				}
			}
		}
		if at == 0 {
			break
		}
		lines, word = lines+word[:at]+"\n", word[at:]
	}
	return lines + word
}

type breaking struct{ p *paragraph }

func (breaking) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }
func (b breaking) Layout(o []fyne.CanvasObject, size fyne.Size) {
	if o[0].Resize(size); b.p.width != size.Width {
		b.p.width = size.Width
		b.p.set(b.p.text)
	}
}

func prose(s string) fyne.CanvasObject   { return newParagraph(s, theme.ColorNameForeground).box }
func quiet(s string) fyne.CanvasObject   { return newParagraph(s, colorMuted).box }
func warning(s string) fyne.CanvasObject { return newParagraph(s, theme.ColorNameWarning).box }

func small(s string) fyne.CanvasObject {
	p := newParagraph("", colorMuted)
	p.style.SizeName = theme.SizeNameCaptionText
	p.set(s)
	return p.box
}
