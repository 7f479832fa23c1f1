package ui

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

	"searchmcp/ui/present"
)

type drawing struct {
	objects []fyne.CanvasObject
	min     func() fyne.Size
	place   func(size fyne.Size)
	paint   func()
}

// newDrawing makes a renderer and places its objects. Fyne drops the renderers of hidden widgets, and does not call
// Layout on the new renderer of a widget that already has its size.
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

type fill struct {
	widget.BaseWidget
	color, outline fyne.ThemeColorName
	radius, width  float32
}

func newFill(c fyne.ThemeColorName, radius float32) *fill {
	f := &fill{color: c, radius: radius}
	f.ExtendBaseWidget(f)
	return f
}

func (f *fill) paint(c fyne.ThemeColorName) {
	if f.color != c {
		f.color = c
		f.Refresh()
	}
}

func (f *fill) stroke(c fyne.ThemeColorName, width float32) {
	if f.outline != c || f.width != width {
		f.outline, f.width = c, width
		f.Refresh()
	}
}

func (f *fill) ring(focused bool) {
	if focused {
		f.stroke(colorRing, ringWidth)
	} else {
		f.stroke("", 0)
	}
}

func (f *fill) CreateRenderer() fyne.WidgetRenderer {
	rect := canvas.NewRectangle(nil)
	return newDrawing(f, func() fyne.Size { return fyne.Size{} }, rect.Resize, func() {
		rect.FillColor, rect.CornerRadius = shade(f.color), f.radius
		rect.StrokeColor, rect.StrokeWidth = shade(f.outline), f.width
		canvas.Refresh(rect)
	}, rect)
}

type bar struct {
	widget.BaseWidget
	share float64
	color fyne.ThemeColorName
}

func newBar() *bar {
	b := &bar{share: -1, color: theme.ColorNamePrimary}
	b.ExtendBaseWidget(b)
	return b
}

func (b *bar) set(share float64) {
	if b.share != share {
		b.share = share
		b.Refresh()
	}
}

const barHeight = 4

func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	track, done := newFill(colorTrack, barHeight/2), newFill(b.color, barHeight/2)
	place := func(size fyne.Size) {
		y := (size.Height - barHeight) / 2
		put(track, 0, y, size.Width, barHeight)
		put(done, 0, y, size.Width*float32(b.share), barHeight)
	}
	return newDrawing(b, func() fyne.Size { return fyne.NewSize(0, barHeight) }, place, func() {
		track.Hidden, done.Hidden = b.share < 0, b.share <= 0
		done.paint(b.color)
		place(b.Size())
		canvas.Refresh(b)
	}, track, done)
}

const tipPause = 500 * time.Millisecond

const tipWidth = 480

// tip covers the window, ignores clicks and shows a hint below the pointer, such as the full form of a shortened text.
type tip struct {
	widget.BaseWidget
	w     *Window
	text  string
	at    fyne.Position
	round int
}

func newTip(w *Window) *tip {
	t := &tip{w: w}
	t.ExtendBaseWidget(t)
	return t
}

func tipOf(o fyne.CanvasObject) *tip {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return nil
	}
	all, ok := c.Content().(*fyne.Container)
	if !ok || len(all.Objects) == 0 {
		return nil
	}
	t, _ := all.Objects[len(all.Objects)-1].(*tip)
	return t
}

func (t *tip) wait(text string, at fyne.Position) {
	t.round++
	t.at = at
	round := t.round
	t.w.after(tipPause, func() {
		if t.round == round {
			t.show(text)
		}
	})
}

func (t *tip) show(text string) {
	if t.text != text {
		t.text = text
		t.Refresh()
	}
}

func (t *tip) leave() {
	t.round++
	t.show("")
}

func (t *tip) CreateRenderer() fyne.WidgetRenderer {
	ground, words := newFill(theme.ColorNameMenuBackground, 4), newParagraph("", theme.ColorNameForeground)
	ground.stroke(theme.ColorNameInputBorder, 1)
	place := func(size fyne.Size) {
		full := fyne.MeasureText(t.text, t.Theme().Size(theme.SizeNameText), fyne.TextStyle{}).Width + 2
		width := min(full, tipWidth, size.Width-2*gapGroup)
		words.box.Resize(fyne.NewSize(width, 0))
		height := words.box.MinSize().Height
		x := max(gapSmall, min(t.at.X, size.Width-width-2*gapSmall))
		y := t.at.Y + gapGroup
		if y+height+gapGroup > size.Height {
			y = t.at.Y - height - gapGroup
		}
		put(ground, x-gapSmall, y-4, width+2*gapSmall, height+8)
		put(words.box, x, y, width, height)
	}
	return newDrawing(t, func() fyne.Size { return fyne.Size{} }, place, func() {
		ground.Hidden, words.box.Hidden = t.text == "", t.text == ""
		words.set(t.text)
		place(t.Size())
		canvas.Refresh(t) // hidden objects can't be refreshed
	}, ground, words.box)
}

type cutArea struct {
	widget.BaseWidget
	t *text
}

var _ desktop.Hoverable = (*cutArea)(nil)

func newCutArea(t *text) *cutArea {
	a := &cutArea{t: t}
	a.ExtendBaseWidget(a)
	return a
}

func (a *cutArea) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (a *cutArea) MouseIn(e *desktop.MouseEvent) { a.MouseMoved(e) }
func (a *cutArea) MouseMoved(e *desktop.MouseEvent) {
	if t := tipOf(a.t); t != nil && t.text == "" {
		t.wait(a.t.value, e.AbsolutePosition)
	}
}
func (a *cutArea) MouseOut() {
	if t := tipOf(a.t); t != nil {
		t.leave()
	}
}

func tr(t present.Text, args ...any) string { return present.T(t, args...) }

type text struct {
	widget.BaseWidget
	value string
	size  fyne.ThemeSizeName
	color fyne.ThemeColorName
	style fyne.TextStyle
	align fyne.TextAlign
	elide bool
	whole bool // cut only between the parts separated by " · ", if the first part fits
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
