package widget

import (
	"image/color"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type SourceLine struct {
	Number int // 0 if unknown
	Cells  []Cell
	Best   bool
	Gap    bool // lines before this line are omitted
}

type Listing struct {
	widget.BaseWidget
	Lines       []SourceLine
	size        fyne.ThemeSizeName
	Indent      int
	self        fyne.CanvasObject
	First, Last int // lines to draw; all if Last is 0
	cut         bool
	from, to    cursor // the selection
}

type cursor struct{ line, column int }

func (c cursor) before(d cursor) bool {
	return c.line < d.line || c.line == d.line && c.column < d.column
}

func (l *Listing) selection() (cursor, cursor) {
	if l.to.before(l.from) {
		return l.to, l.from
	}
	return l.from, l.to
}

func (l *Listing) selected(i int) (from, to int) {
	a, b := l.selection()
	if i < a.line || i > b.line || a == b {
		return 0, 0
	}
	n := len(l.Lines[i].Cells)
	from, to = 0, n
	if i == a.line {
		from = min(a.column, n)
	}
	if i == b.line {
		to = min(b.column, n)
	}
	return from, to
}

func (l *Listing) Text() string {
	a, b := l.selection()
	var s strings.Builder
	for i := a.line; i <= b.line && i < len(l.Lines); i++ {
		from, to := l.selected(i)
		for _, c := range l.Lines[i].Cells[from:to] {
			s.WriteRune(c.Rune)
		}
		if i < b.line {
			s.WriteByte('\n')
		}
	}
	return s.String()
}

func NewListing(size fyne.ThemeSizeName) *Listing {
	l := &Listing{size: size}
	l.self = l
	l.ExtendBaseWidget(l)
	return l
}

func (l *Listing) Set(lines []SourceLine, cut bool) {
	l.Lines, l.cut, l.from, l.to = lines, cut, cursor{}, cursor{}
	l.Refresh()
}

func (l *Listing) look(top, height float32) {
	h := l.LineHeight()
	first, last := max(0, int(top/h)), min(len(l.Lines), int((top+height)/h)+1)
	if first != l.First || last != l.Last {
		l.First, l.Last = first, last
		canvas.Refresh(l.self)
	}
}

func (l *Listing) Cell() fyne.Size {
	return fyne.MeasureText("M", l.Theme().Size(l.size), fyne.TextStyle{Monospace: true})
}

func (l *Listing) LineHeight() float32 { return float32(int(l.Cell().Height + 1.5)) }

func (l *Listing) GutterWidth() float32 {
	most := 0
	for _, x := range l.Lines {
		most = max(most, x.Number)
	}
	if most == 0 {
		return 0
	}
	return float32(max(3, len(strconv.Itoa(most)))+2) * l.Cell().Width
}

var ellipsis = Cell{Rune: '…', Fg: ColorMuted}

// mostWord is the length of a word that is left out, rather than cut, at the start of a cut line.
const mostWord = 12

// cutCells removes a line's indentation and shortens the line to the given number of columns. The line's beginning is
// left out only if keepStart is false and the first mark would not be visible, and then as little as possible.
func cutCells(cells []Cell, columns int, keepStart bool) []Cell {
	for len(cells) > 0 && cells[0].Rune == ' ' {
		cells = cells[1:]
	}
	if len(cells) <= columns || columns < 2 {
		return cells[:min(len(cells), max(columns, 0))]
	}
	mark := slices.IndexFunc(cells, func(c Cell) bool { return c.Bg != "" })
	end := mark
	for mark >= 0 && end < len(cells) && cells[end].Bg != "" {
		end++
	}
	if mark > 0 && end > columns-1 && !keepStart {
		from := min(mark, end+min(columns/4, len(cells)-end)-columns+2)
		near := cells[from-1 : min(mark, from+mostWord)]
		if space := slices.IndexFunc(near, func(c Cell) bool { return c.Rune == ' ' }); space > 0 {
			from += space
		}
		cells = append([]Cell{ellipsis}, cells[from:]...)
	}
	if len(cells) > columns {
		cells = append(slices.Clone(cells[:columns-1]), ellipsis)
	}
	return cells
}

func (l *Listing) CreateRenderer() fyne.WidgetRenderer {
	return &listingRenderer{l: l, drawn: map[int][]fyne.CanvasObject{}}
}

type listingRenderer struct {
	l     *Listing
	drawn map[int][]fyne.CanvasObject
	width float32
}

func (r *listingRenderer) Destroy() {}

func (r *listingRenderer) MinSize() fyne.Size {
	cell, most := r.l.Cell(), 0
	if r.l.cut {
		return fyne.NewSize(0, float32(len(r.l.Lines))*r.l.LineHeight())
	}
	for _, x := range r.l.Lines {
		most = max(most, len(x.Cells))
	}
	return fyne.NewSize(r.l.GutterWidth()+float32(most+1)*cell.Width, float32(len(r.l.Lines))*r.l.LineHeight())
}

func (r *listingRenderer) Layout(size fyne.Size) {
	if size.Width != r.width {
		r.width = size.Width
		clear(r.drawn)
		canvas.Refresh(r.l.self)
	}
}

func (r *listingRenderer) Refresh() {
	clear(r.drawn)
	canvas.Refresh(r.l.self)
}

func (r *listingRenderer) Objects() []fyne.CanvasObject {
	l := r.l
	first, last := l.First, l.Last
	if last == 0 {
		last = len(l.Lines)
	}
	var all []fyne.CanvasObject
	for i := first; i < min(last, len(l.Lines)); i++ {
		if _, there := r.drawn[i]; !there {
			r.drawn[i] = r.line(i)
		}
		all = append(all, r.drawn[i]...)
	}
	return all
}

func (r *listingRenderer) line(i int) []fyne.CanvasObject {
	l, x := r.l, r.l.Lines[i]
	cell, h, left := l.Cell(), l.LineHeight(), l.GutterWidth()
	y := float32(i) * h
	var grounds, texts []fyne.CanvasObject
	ground := func(c fyne.ThemeColorName, x, width, radius float32) {
		rect := canvas.NewRectangle(shade(c))
		rect.CornerRadius = radius
		Place(rect, x, y, width, h)
		grounds = append(grounds, rect)
	}
	write := func(s string, at float32, c color.Color) {
		t := canvas.NewText(s, c)
		t.TextSize, t.TextStyle.Monospace = l.Theme().Size(l.size), true
		t.Move(fyne.NewPos(at, y+float32(int((h-cell.Height)/2))))
		t.Resize(t.MinSize())
		texts = append(texts, t)
	}
	if x.Best && !l.cut {
		ground(colorBest, 0, max(r.width, left), 0)
	}
	if x.Gap && !l.cut {
		line := canvas.NewRectangle(shade(theme.ColorNameSeparator))
		Place(line, 0, y, r.width, 1)
		grounds = append(grounds, line)
	}
	if left > 0 && x.Number > 0 {
		number := strconv.Itoa(x.Number)
		ink := shade(ColorMuted)
		if x.Best {
			ink = shade(theme.ColorNameForeground)
		}
		write(number, left-float32(len(number)+2)*cell.Width, ink)
	}
	cells := x.Cells
	left += float32(l.Indent) * cell.Width
	if l.cut {
		other := len(l.Lines) > 1 && !x.Best // often the declaration, whose beginning matters
		cells = cutCells(cells, int((r.width-left)/cell.Width), other)
	}
	if a, b := l.selected(i); a < b {
		ground(theme.ColorNameSelection, left+float32(a)*cell.Width, float32(b-a)*cell.Width, 0)
	}
	for from := 0; from < len(cells); {
		style, to := cells[from], from
		var run []rune
		for to < len(cells) && cells[to].Fg == style.Fg && cells[to].Bg == style.Bg &&
			(to == from || plainRune(cells[to].Rune) && plainRune(style.Rune)) {
			run = append(run, cells[to].Rune)
			to++
		}
		at := left + float32(from)*cell.Width
		if style.Bg != "" {
			ground(style.Bg, at, float32(to-from)*cell.Width, 2)
		}
		if s := string(run); strings.Trim(s, " ") != "" {
			write(s, at, shade(style.Fg))
		}
		for i, r := range run {
			if r == '_' { // the font's underscore is thinner than a pixel, and therefore pale
				line := canvas.NewRectangle(shade(style.Fg))
				Place(line, at+float32(i)*cell.Width, y+h-2, cell.Width, 1)
				texts = append(texts, line)
			}
		}
		from = to
	}
	return append(grounds, texts...)
}

// plainRune reports whether all monospaced fonts draw r with the usual width. Other runes are drawn separately.
func plainRune(r rune) bool { return r < unicode.MaxLatin1 }

type CodeView struct {
	Scroll
	Lines  *codeArea
	center int // line in the middle, or -1
}

func NewCodeView() *CodeView {
	v := &CodeView{Lines: newCodeArea(), center: -1}
	v.Content, v.Direction = v.Lines, container.ScrollBoth
	v.OnScrolled = func(at fyne.Position) { v.Lines.look(at.Y, v.Size().Height) }
	v.ExtendBaseWidget(v)
	return v
}

func (v *CodeView) Set(lines []SourceLine, center int) {
	v.Lines.First, v.Lines.Last = 0, 1
	v.Lines.Set(lines, false)
	v.Refresh()
	v.center = center
	v.settle()
}

func (v *CodeView) settle() {
	height := v.Size().Height
	if height <= 0 {
		return
	}
	y := float32(0)
	if v.center > 0 {
		h := v.Lines.LineHeight()
		y = float32(int((float32(v.center) + 0.5 - height/2/h))) * h // start at the top of a line
	}
	most := max(0, v.Lines.MinSize().Height-height)
	v.Offset = fyne.NewPos(0, min(max(0, y), most))
	v.Refresh()
	v.Lines.look(v.Offset.Y, height)
}

func (v *CodeView) Resize(size fyne.Size) {
	same := size == v.Size()
	v.Scroll.Resize(size)
	if !same {
		v.settle()
	}
}

type codeArea struct {
	Listing
	OnTapped   func(line, column int)
	OnSelected func()

	dragging bool
}

func newCodeArea() *codeArea {
	a := &codeArea{Listing: Listing{size: theme.SizeNameText}}
	a.self = a
	a.ExtendBaseWidget(a)
	return a
}

// at returns the line and column of the rune at a position.
func (a *codeArea) at(p fyne.Position, half float32) (line, column int) {
	return int(p.Y / a.LineHeight()), int((p.X-a.GutterWidth())/a.Cell().Width + half)
}

func (a *codeArea) Dragged(e *fyne.DragEvent) {
	put := func(p fyne.Position) cursor {
		line, column := a.at(p, 0.5)
		return cursor{min(max(line, 0), len(a.Lines)-1), max(column, 0)}
	}
	if !a.dragging {
		a.dragging, a.from = true, put(e.Position.Subtract(e.Dragged))
	}
	a.to = put(e.Position)
	a.Refresh()
}

func (a *codeArea) DragEnd() {
	a.dragging = false
	if a.OnSelected != nil {
		a.OnSelected()
	}
}

func (a *codeArea) Tapped(e *fyne.PointEvent) {
	a.from, a.to = cursor{}, cursor{}
	a.Refresh()
	line, column := a.at(e.Position, 0)
	if a.OnTapped != nil && line >= 0 && line < len(a.Lines) && column >= 0 {
		a.OnTapped(line, column)
	}
}

func (*codeArea) Cursor() desktop.Cursor { return desktop.TextCursor }
