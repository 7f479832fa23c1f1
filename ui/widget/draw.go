package widget

import (
	"image/color"
	"regexp"
	"sort"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

func WholeCaption(s string) *Text {
	t := Caption(s)
	t.Elide = false
	return t
}

// extended calls ExtendBaseWidget, which Fyne requires, and returns w.
func extended[W interface {
	fyne.Widget
	ExtendBaseWidget(fyne.Widget)
}](w W) W {
	w.ExtendBaseWidget(w)
	return w
}

type drawing struct {
	objects []fyne.CanvasObject
	min     func() fyne.Size
	place   func(size fyne.Size)
	paint   func()
}

// newDrawing returns a renderer and places its objects. Fyne may create a renderer again without calling Layout.
func newDrawing(w fyne.Widget, min func() fyne.Size, place func(fyne.Size), paint func(),
	objects ...fyne.CanvasObject) *drawing {
	paint()
	place(w.Size())
	return &drawing{objects, min, place, paint}
}

func (*drawing) Destroy()                       {}
func (d *drawing) Objects() []fyne.CanvasObject { return d.objects }
func (d *drawing) MinSize() fyne.Size           { return d.min() }
func (d *drawing) Layout(size fyne.Size)        { d.place(size) }
func (d *drawing) Refresh()                     { d.paint() }

func shade(c fyne.ThemeColorName) color.Color {
	if c == "" {
		return color.Transparent
	}
	s := fyne.CurrentApp().Settings()
	return s.Theme().Color(c, s.ThemeVariant())
}

type Fill struct {
	widget.BaseWidget
	Color, outline fyne.ThemeColorName
	radius, width  float32
}

func NewFill(c fyne.ThemeColorName, radius float32) *Fill {
	return extended(&Fill{Color: c, radius: radius})
}

func (f *Fill) paint(c fyne.ThemeColorName) {
	if f.Color != c {
		f.Color = c
		f.Refresh()
	}
}

func (f *Fill) stroke(c fyne.ThemeColorName, width float32) {
	if f.outline != c || f.width != width {
		f.outline, f.width = c, width
		f.Refresh()
	}
}

func (f *Fill) ring(focused bool) {
	if focused {
		f.stroke(colorRing, ringWidth)
	} else {
		f.stroke("", 0)
	}
}

func (f *Fill) CreateRenderer() fyne.WidgetRenderer {
	rect := canvas.NewRectangle(nil)
	return newDrawing(f, func() fyne.Size { return fyne.Size{} }, rect.Resize, func() {
		rect.FillColor, rect.CornerRadius = shade(f.Color), f.radius
		rect.StrokeColor, rect.StrokeWidth = shade(f.outline), f.width
		canvas.Refresh(rect)
	}, rect)
}

const (
	tipPause  = 500 * time.Millisecond
	noteTime  = 6 * time.Second
	tipWidth  = 480
	barHeight = 4
)

type Bar struct {
	widget.BaseWidget
	Share float64
	Color fyne.ThemeColorName
}

func NewBar() *Bar { return extended(&Bar{Share: -1, Color: theme.ColorNamePrimary}) }

func (b *Bar) Set(share float64) {
	if b.Share != share {
		b.Share = share
		b.Refresh()
	}
}

func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	track, done := NewFill(ColorTrack, barHeight/2), NewFill(b.Color, barHeight/2)
	place := func(size fyne.Size) {
		y := (size.Height - barHeight) / 2
		Place(track, 0, y, size.Width, barHeight)
		Place(done, 0, y, size.Width*float32(b.Share), barHeight)
	}
	return newDrawing(b, func() fyne.Size { return fyne.NewSize(0, barHeight) }, place, func() {
		track.Hidden, done.Hidden = b.Share < 0, b.Share <= 0
		done.paint(b.Color)
		place(b.Size())
		canvas.Refresh(b)
	}, track, done)
}

// Tip shows a hint below the pointer, such as the full form of a shortened text. It ignores clicks.
type Tip struct {
	widget.BaseWidget
	after func(pause time.Duration, do func())
	Text  string
	at    fyne.Position
	round int
}

func NewTip(after func(pause time.Duration, do func())) *Tip { return extended(&Tip{after: after}) }

func TipOf(o fyne.CanvasObject) *Tip {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return nil
	}
	all, ok := c.Content().(*fyne.Container)
	if !ok || len(all.Objects) == 0 {
		return nil
	}
	t, _ := all.Objects[len(all.Objects)-1].(*Tip)
	return t
}

func (t *Tip) Wait(text string, at fyne.Position) {
	t.round++
	t.at = at
	round := t.round
	t.after(tipPause, func() {
		if t.round == round {
			t.show(text)
		}
	})
}

// Note shows text at the bottom of the window for a few seconds.
func (t *Tip) Note(text string) {
	t.round++
	round := t.round
	width := fyne.MeasureText(text, t.Theme().Size(theme.SizeNameText), fyne.TextStyle{}).Width
	t.at = fyne.NewPos((t.Size().Width-width)/2, t.Size().Height)
	t.show(text)
	t.after(noteTime, func() {
		if t.round == round {
			t.show("")
		}
	})
}

func (t *Tip) show(text string) {
	if t.Text != text {
		t.Text = text
		t.Refresh()
	}
}

func (t *Tip) Leave() {
	t.round++
	t.show("")
}

func (t *Tip) CreateRenderer() fyne.WidgetRenderer {
	ground, words := NewFill(theme.ColorNameMenuBackground, 4), NewParagraph("", theme.ColorNameForeground)
	ground.stroke(theme.ColorNameInputBorder, 1)
	place := func(size fyne.Size) {
		full := fyne.MeasureText(t.Text, t.Theme().Size(theme.SizeNameText), fyne.TextStyle{}).Width + 2
		width := min(full, tipWidth, size.Width-2*GapGroup)
		words.Box.Resize(fyne.NewSize(width, 0))
		height := words.Box.MinSize().Height
		x := max(GapSmall, min(t.at.X, size.Width-width-2*GapSmall))
		y := t.at.Y + GapGroup
		if y+height+GapGroup > size.Height {
			y = t.at.Y - height - GapGroup
		}
		Place(ground, x-GapSmall, y-4, width+2*GapSmall, height+8)
		Place(words.Box, x, y, width, height)
	}
	return newDrawing(t, func() fyne.Size { return fyne.Size{} }, place, func() {
		ground.Hidden, words.Box.Hidden = t.Text == "", t.Text == ""
		words.Set(t.Text)
		place(t.Size())
		canvas.Refresh(t) // Fyne can't refresh hidden objects
	}, ground, words.Box)
}

// glass is the base of invisible widgets that receive pointer events.
type glass struct{ widget.BaseWidget }

func (*glass) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

type cutArea struct {
	glass
	t *Text
}

func (a *cutArea) MouseIn(e *desktop.MouseEvent) { a.MouseMoved(e) }

func (a *cutArea) MouseMoved(e *desktop.MouseEvent) {
	if t := TipOf(a.t); t != nil && t.Text == "" {
		t.Wait(a.t.Value, e.AbsolutePosition)
	}
}

func (a *cutArea) MouseOut() {
	if t := TipOf(a.t); t != nil {
		t.Leave()
	}
}

type Text struct {
	widget.BaseWidget
	Value string
	size  fyne.ThemeSizeName
	Color fyne.ThemeColorName
	Style fyne.TextStyle
	Align fyne.TextAlign
	Elide bool
	Short string // shown if Value is too long
	Split string // separator; long text is cut after a separator
	Inner bool   // long text is cut in the middle
	Keep  int
}

func NewText(value string, size fyne.ThemeSizeName, c fyne.ThemeColorName, bold bool) *Text {
	return extended(&Text{Value: value, size: size, Color: c, Elide: true, Style: fyne.TextStyle{Bold: bold}})
}

func Heading(s string) *Text {
	return NewText(s, theme.SizeNameHeadingText, theme.ColorNameForeground, true)
}

func Strong(s string) *Text  { return NewText(s, theme.SizeNameText, theme.ColorNameForeground, true) }
func Plain(s string) *Text   { return NewText(s, theme.SizeNameText, theme.ColorNameForeground, false) }
func Muted(s string) *Text   { return NewText(s, theme.SizeNameText, ColorMuted, false) }
func Caption(s string) *Text { return NewText(s, theme.SizeNameCaptionText, ColorMuted, false) }

func (t *Text) Set(value string) {
	if t.Value != value {
		t.Value = value
		t.Refresh()
	}
}

func (t *Text) SetColor(c fyne.ThemeColorName) {
	if t.Color != c {
		t.Color = c
		t.Refresh()
	}
}

func (t *Text) Full() float32 {
	return fyne.MeasureText(t.Value, t.Theme().Size(t.size), t.Style).Width
}

func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	drawn, area := canvas.NewText("", nil), extended(&cutArea{t: t})
	fit := func(size fyne.Size) {
		drawn.Text = t.Fitting(size.Width)
		area.Hidden = drawn.Text == t.Value
	}
	return newDrawing(t, func() fyne.Size {
		size := fyne.MeasureText("Mg", drawn.TextSize, t.Style)
		if size.Width = 0; !t.Elide {
			size.Width = t.Full()
		}
		return size
	}, func(size fyne.Size) {
		fit(size)
		drawn.Resize(size)
		area.Resize(size)
	}, func() {
		drawn.Color, drawn.TextSize = shade(t.Color), t.Theme().Size(t.size)
		drawn.TextStyle, drawn.Alignment = t.Style, t.Align
		fit(t.Size())
		canvas.Refresh(drawn)
	}, drawn, area)
}

func (t *Text) Fitting(width float32) string {
	if !t.Elide || t.Full() <= width {
		return t.Value
	}
	measure := func(s string) float32 { return fyne.MeasureText(s, t.Theme().Size(t.size), t.Style).Width }
	if t.Short != "" && measure(t.Short) <= width {
		return t.Short
	}
	if t.Split != "" {
		parts := strings.Split(t.Value, t.Split)
		for n := len(parts) - 1; n > 0; n-- {
			if s := strings.Join(parts[:n], t.Split); measure(s) <= width {
				return s
			}
		}
	}
	runes := []rune(t.Value)
	if t.Inner {
		cut := func(n int) string { return string(runes[:(n+1)/2]) + "…" + string(runes[len(runes)-n/2:]) }
		n := sort.Search(len(runes), func(n int) bool { return measure(cut(n+1)) > width })
		return map[bool]string{true: cut(n)}[n > 0]
	}
	head := len(runes) - min(t.Keep, len(runes))
	end := "…" + string(runes[head:])
	fits := sort.Search(head, func(n int) bool { return measure(string(runes[:n+1])+end) > width })
	if fits == 0 {
		return ""
	}
	return string(runes[:fits]) + end
}

type Paragraph struct {
	Text  string
	Words *widget.RichText
	Style widget.RichTextStyle
	width float32
	Box   *fyne.Container
}

func NewParagraph(s string, c fyne.ThemeColorName) *Paragraph {
	p := &Paragraph{Style: widget.RichTextStyle{ColorName: c, SizeName: theme.SizeNameText}}
	p.Words = widget.NewRichText()
	p.Words.Wrapping = fyne.TextWrapWord
	pad := 2 * sizes[theme.SizeNameInnerPadding] // of p.Words, which is outside of the box
	least := func() fyne.Size { return p.Words.MinSize().SubtractWidthHeight(pad, pad) }
	p.Box = container.New(Layout{least, p.fit}, p.Words)
	p.Set(s)
	return p
}

func (p *Paragraph) Set(s string) {
	p.Text = s
	p.Words.Segments = []widget.RichTextSegment{&widget.TextSegment{Text: longWords.ReplaceAllStringFunc(s, p.broken),
		Style: p.Style}}
	p.Words.Refresh()
}

// longWords matches words that may be too long for a line, such as paths.
var longWords = regexp.MustCompile(`\S{20,}`)

func (p *Paragraph) broken(word string) (lines string) {
	size := fyne.CurrentApp().Settings().Theme().Size(p.Style.SizeName)
	fits := func(s string) bool { return fyne.MeasureText(s, size, p.Style.TextStyle).Width <= p.width }
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

func (p *Paragraph) fit(size fyne.Size) {
	pad := sizes[theme.SizeNameInnerPadding]
	if Place(p.Words, -pad, -pad, size.Width+2*pad, size.Height+2*pad); p.width != size.Width {
		p.width = size.Width
		p.Set(p.Text)
	}
}

func Prose(s string) fyne.CanvasObject   { return NewParagraph(s, theme.ColorNameForeground).Box }
func Quiet(s string) fyne.CanvasObject   { return NewParagraph(s, ColorMuted).Box }
func Warning(s string) fyne.CanvasObject { return NewParagraph(s, theme.ColorNameWarning).Box }

func Small(s string) fyne.CanvasObject {
	p := NewParagraph("", ColorMuted)
	p.Style.SizeName = theme.SizeNameCaptionText
	p.Set(s)
	return p.Box
}
