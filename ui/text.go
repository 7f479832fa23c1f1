package ui

import (
	"image/color"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// text is one line without padding, shortened with an ellipsis if elide is set.
type text struct {
	widget.BaseWidget
	value string
	size  fyne.ThemeSizeName
	color fyne.ThemeColorName
	style fyne.TextStyle
	align fyne.TextAlign
	elide bool
	keep  int // number of bytes at the end that are never cut, such as a line number
}

func newText(value string, size fyne.ThemeSizeName, c fyne.ThemeColorName) *text {
	t := &text{value: value, size: size, color: c}
	t.ExtendBaseWidget(t)
	return t
}

func heading(s string) *text {
	t := newText(s, theme.SizeNameHeadingText, theme.ColorNameForeground)
	t.style.Bold, t.elide = true, true
	return t
}

func strong(s string) *text {
	t := newText(s, theme.SizeNameText, theme.ColorNameForeground)
	t.style.Bold, t.elide = true, true
	return t
}

func plain(s string) *text {
	t := newText(s, theme.SizeNameText, theme.ColorNameForeground)
	t.elide = true
	return t
}

func muted(s string) *text {
	t := newText(s, theme.SizeNameText, colorMuted)
	t.elide = true
	return t
}

func caption(s string) *text {
	t := newText(s, theme.SizeNameCaptionText, colorMuted)
	t.elide = true
	return t
}

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

// full returns the width of the whole text.
func (t *text) full() float32 {
	return fyne.MeasureText(t.value, t.Theme().Size(t.size), t.style).Width
}

// CreateRenderer implements fyne.Widget.
func (t *text) CreateRenderer() fyne.WidgetRenderer {
	r := &textRenderer{t: t, drawn: canvas.NewText("", color.Black), area: newCutArea(t)}
	r.Refresh()
	return r
}

type textRenderer struct {
	t     *text
	drawn *canvas.Text
	area  *cutArea // shows the whole text on hover
	full  float32  // width of the whole text
}

func (r *textRenderer) Destroy()                     {}
func (r *textRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.drawn, r.area} }

func (r *textRenderer) MinSize() fyne.Size {
	size := fyne.MeasureText("Mg", r.drawn.TextSize, r.t.style)
	if r.t.elide {
		return fyne.NewSize(0, size.Height)
	}
	return fyne.NewSize(r.full, size.Height)
}

func (r *textRenderer) Refresh() {
	th := r.t.Theme()
	variant := fyne.CurrentApp().Settings().ThemeVariant()
	r.drawn.Color = th.Color(r.t.color, variant)
	r.drawn.TextSize = th.Size(r.t.size)
	r.drawn.TextStyle = r.t.style
	r.drawn.Alignment = r.t.align
	r.full = fyne.MeasureText(r.t.value, r.drawn.TextSize, r.t.style).Width
	r.fit(r.t.Size())
	canvas.Refresh(r.drawn)
}

func (r *textRenderer) Layout(size fyne.Size) {
	r.fit(size)
	r.drawn.Resize(size)
	r.area.Resize(size)
}

// fit shortens the text to the available width.
func (r *textRenderer) fit(size fyne.Size) {
	cut := r.t.elide && r.full > size.Width
	r.area.Hidden = !cut
	if !cut {
		r.drawn.Text = r.t.value
		return
	}
	runes := []rune(r.t.value)
	head := len(runes) - min(r.t.keep, len(runes))
	end := "…" + string(runes[head:])
	low, high := 0, head // low fits, high does not
	for low+1 < high {
		mid := (low + high) / 2
		if fyne.MeasureText(string(runes[:mid])+end, r.drawn.TextSize, r.t.style).Width <= size.Width {
			low = mid
		} else {
			high = mid
		}
	}
	r.drawn.Text = string(runes[:low]) + end
	if low == 0 { // no lone ellipsis
		r.drawn.Text = ""
	}
}

// paragraph is wrapped text.
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
	p.box = container.NewThemeOverride(container.New(breaking{p}, p.words), tight{})
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

// broken breaks a long word after separators of paths and names, where possible.
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

// breaking passes a paragraph its width.
type breaking struct{ p *paragraph }

func (breaking) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }
func (b breaking) Layout(o []fyne.CanvasObject, size fyne.Size) {
	if o[0].Resize(size); b.p.width != size.Width {
		b.p.width = size.Width
		b.p.set(b.p.text)
	}
}

// said returns the text.
func (p *paragraph) said() string { return p.text }

func prose(s string) fyne.CanvasObject { return newParagraph(s, theme.ColorNameForeground).box }

func quiet(s string) fyne.CanvasObject { return newParagraph(s, colorMuted).box }

// small is a muted paragraph in the small size.
func small(s string) fyne.CanvasObject {
	p := newParagraph(s, colorMuted)
	p.style.SizeName = theme.SizeNameCaptionText
	p.set(s)
	return p.box
}

func warning(s string) fyne.CanvasObject { return newParagraph(s, theme.ColorNameWarning).box }

// bar is a thin progress bar. A negative share hides it.
type bar struct {
	widget.BaseWidget
	share float64
	color fyne.ThemeColorName // of the done part
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

// CreateRenderer implements fyne.Widget.
func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b: b, track: canvas.NewRectangle(color.Transparent), done: canvas.NewRectangle(color.Transparent)}
	r.track.CornerRadius, r.done.CornerRadius = barHeight/2, barHeight/2
	r.Refresh()
	return r
}

const barHeight = 4

type barRenderer struct {
	b           *bar
	track, done *canvas.Rectangle
}

func (r *barRenderer) Destroy()                     {}
func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.track, r.done} }
func (r *barRenderer) MinSize() fyne.Size           { return fyne.NewSize(0, barHeight) }

func (r *barRenderer) Layout(size fyne.Size) {
	y := (size.Height - barHeight) / 2
	r.track.Move(fyne.NewPos(0, y))
	r.track.Resize(fyne.NewSize(size.Width, barHeight))
	r.done.Move(fyne.NewPos(0, y))
	r.done.Resize(fyne.NewSize(size.Width*float32(max(0, r.b.share)), barHeight))
}

func (r *barRenderer) Refresh() {
	th, variant := r.b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	r.track.FillColor, r.done.FillColor = th.Color(colorTrack, variant), th.Color(r.b.color, variant)
	r.track.Hidden, r.done.Hidden = r.b.share < 0, r.b.share <= 0
	r.Layout(r.b.Size())
	canvas.Refresh(r.track)
	canvas.Refresh(r.done)
}

// fill is a rectangle in a theme colour.
type fill struct {
	widget.BaseWidget
	color  fyne.ThemeColorName
	radius float32
	min    fyne.Size
}

func newFill(c fyne.ThemeColorName, radius float32) *fill {
	f := &fill{color: c, radius: radius}
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *fill) CreateRenderer() fyne.WidgetRenderer {
	r := &fillRenderer{f: f, rect: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type fillRenderer struct {
	f    *fill
	rect *canvas.Rectangle
}

func (r *fillRenderer) Destroy()                     {}
func (r *fillRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *fillRenderer) MinSize() fyne.Size           { return r.f.min }
func (r *fillRenderer) Layout(size fyne.Size)        { r.rect.Resize(size) }
func (r *fillRenderer) Refresh() {
	r.rect.FillColor = r.f.Theme().Color(r.f.color, fyne.CurrentApp().Settings().ThemeVariant())
	r.rect.CornerRadius = r.f.radius
	canvas.Refresh(r.rect)
}
