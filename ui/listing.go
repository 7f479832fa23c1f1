package ui

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

type sourceLine struct {
	number int // 0 means none
	cells  []widget.TextGridCell
	best   bool
	gap    bool // lines before this line are omitted
}

type listing struct {
	widget.BaseWidget
	lines       []sourceLine
	size        fyne.ThemeSizeName
	indent      int
	self        fyne.CanvasObject
	first, last int // visible lines; last 0 means all
	cut         bool
	from, to    cursor // the selection, empty if both are equal
}

type cursor struct{ line, column int }

func (c cursor) before(d cursor) bool {
	return c.line < d.line || c.line == d.line && c.column < d.column
}

func (l *listing) selection() (cursor, cursor) {
	if l.to.before(l.from) {
		return l.to, l.from
	}
	return l.from, l.to
}

func (l *listing) selected(i int) (from, to int) {
	a, b := l.selection()
	if i < a.line || i > b.line || a == b {
		return 0, 0
	}
	n := len(l.lines[i].cells)
	from, to = 0, n
	if i == a.line {
		from = min(a.column, n)
	}
	if i == b.line {
		to = min(b.column, n)
	}
	return from, to
}

func (l *listing) text() string {
	a, b := l.selection()
	var s strings.Builder
	for i := a.line; i <= b.line && i < len(l.lines); i++ {
		from, to := l.selected(i)
		for _, c := range l.lines[i].cells[from:to] {
			s.WriteRune(c.Rune)
		}
		if i < b.line {
			s.WriteByte('\n')
		}
	}
	return s.String()
}

func newListing(size fyne.ThemeSizeName) *listing {
	l := &listing{size: size}
	l.self = l
	l.ExtendBaseWidget(l)
	return l
}

func (l *listing) set(lines []sourceLine, cut bool) {
	l.lines, l.cut, l.from, l.to = lines, cut, cursor{}, cursor{}
	l.Refresh()
}

func (l *listing) look(top, height float32) {
	h := l.lineHeight()
	first, last := max(0, int(top/h)), min(len(l.lines), int((top+height)/h)+1)
	if first != l.first || last != l.last {
		l.first, l.last = first, last
		canvas.Refresh(l.self)
	}
}

func (l *listing) cell() fyne.Size {
	return fyne.MeasureText("M", l.Theme().Size(l.size), fyne.TextStyle{Monospace: true})
}

func (l *listing) lineHeight() float32 { return float32(int(l.cell().Height + 1.5)) }

func (l *listing) gutterWidth() float32 {
	most := 0
	for _, x := range l.lines {
		most = max(most, x.number)
	}
	if most == 0 {
		return 0
	}
	return float32(max(3, len(strconv.Itoa(most)))+2) * l.cell().Width
}

var ellipsis = widget.TextGridCell{Rune: '…', Style: cellStyle{fg: colorMuted}}

// beforeMark is the number of columns kept before the first mark, if the start of a line is cut.
const beforeMark = 16

// cutCells removes the indentation of a line and shortens the line to the number of columns in room. If the first mark
// would be cut off, the line starts shortly before it.
func cutCells(cells []widget.TextGridCell, room int) []widget.TextGridCell {
	for len(cells) > 0 && cells[0].Rune == ' ' {
		cells = cells[1:]
	}
	if len(cells) <= room || room < 2 {
		return cells[:min(len(cells), max(room, 0))]
	}
	mark := slices.IndexFunc(cells, func(c widget.TextGridCell) bool { return c.Style.(cellStyle).bg != "" })
	end := mark
	for mark >= 0 && end < len(cells) && cells[end].Style.(cellStyle).bg != "" {
		end++
	}
	if mark >= 0 && end > room-1 {
		from := mark - min(beforeMark, room/3)
		cells = append([]widget.TextGridCell{ellipsis}, cells[max(0, from):]...)
	}
	if len(cells) > room {
		cells = append(slices.Clone(cells[:room-1]), ellipsis)
	}
	return cells
}

func (l *listing) CreateRenderer() fyne.WidgetRenderer {
	return &listingRenderer{l: l, drawn: map[int][]fyne.CanvasObject{}}
}

type listingRenderer struct {
	l     *listing
	drawn map[int][]fyne.CanvasObject
	width float32
}

func (r *listingRenderer) Destroy() {}

func (r *listingRenderer) MinSize() fyne.Size {
	cell, most := r.l.cell(), 0
	if r.l.cut {
		return fyne.NewSize(0, float32(len(r.l.lines))*r.l.lineHeight())
	}
	for _, x := range r.l.lines {
		most = max(most, len(x.cells))
	}
	return fyne.NewSize(r.l.gutterWidth()+float32(most+1)*cell.Width, float32(len(r.l.lines))*r.l.lineHeight())
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
	first, last := l.first, l.last
	if last == 0 {
		last = len(l.lines)
	}
	var all []fyne.CanvasObject
	for i := first; i < min(last, len(l.lines)); i++ {
		if _, there := r.drawn[i]; !there {
			r.drawn[i] = r.line(i)
		}
		all = append(all, r.drawn[i]...)
	}
	return all
}

func (r *listingRenderer) line(i int) []fyne.CanvasObject {
	l, x := r.l, r.l.lines[i]
	cell, h, left := l.cell(), l.lineHeight(), l.gutterWidth()
	y := float32(i) * h
	var grounds, texts []fyne.CanvasObject
	ground := func(c fyne.ThemeColorName, x, width, radius float32) {
		rect := canvas.NewRectangle(shade(c))
		rect.CornerRadius = radius
		put(rect, x, y, width, h)
		grounds = append(grounds, rect)
	}
	write := func(s string, at float32, c color.Color) {
		t := canvas.NewText(s, c)
		t.TextSize, t.TextStyle.Monospace = l.Theme().Size(l.size), true
		t.Move(fyne.NewPos(at, y+float32(int((h-cell.Height)/2))))
		t.Resize(t.MinSize())
		texts = append(texts, t)
	}
	if x.best && !l.cut {
		ground(colorBest, 0, max(r.width, left), 0)
	}
	if x.gap && !l.cut {
		line := canvas.NewRectangle(shade(theme.ColorNameSeparator))
		put(line, 0, y, r.width, 1)
		grounds = append(grounds, line)
	}
	if left > 0 && x.number > 0 {
		number := strconv.Itoa(x.number)
		ink := shade(colorMuted)
		if x.best {
			ink = shade(theme.ColorNameForeground)
		}
		write(number, left-float32(len(number)+2)*cell.Width, ink)
	}
	cells := x.cells
	left += float32(l.indent) * cell.Width
	if l.cut {
		cells = cutCells(cells, int((r.width-left)/cell.Width))
	}
	if a, b := l.selected(i); a < b {
		ground(theme.ColorNameSelection, left+float32(a)*cell.Width, float32(b-a)*cell.Width, 0)
	}
	for from := 0; from < len(cells); {
		style := cells[from].Style.(cellStyle)
		to := from
		var run []rune
		for to < len(cells) && cells[to].Style == cells[from].Style &&
			(to == from || plainRune(cells[to].Rune) && plainRune(cells[from].Rune)) {
			run = append(run, cells[to].Rune)
			to++
		}
		at := left + float32(from)*cell.Width
		if style.bg != "" {
			ground(style.bg, at, float32(to-from)*cell.Width, 2)
		}
		if s := string(run); strings.Trim(s, " ") != "" {
			write(s, at, style.TextColor())
		}
		from = to
	}
	return append(grounds, texts...)
}

// plainRune reports whether every monospaced font has the rune in the same width. Other runes are drawn separately.
func plainRune(r rune) bool { return r < unicode.MaxLatin1 }

type codeView struct {
	scroll
	lines  *codeArea
	center int // line to centre, or -1
}

func newCodeView() *codeView {
	v := &codeView{lines: newCodeArea(), center: -1}
	v.Content, v.Direction = v.lines, container.ScrollBoth
	v.OnScrolled = func(at fyne.Position) { v.lines.look(at.Y, v.Size().Height) }
	v.ExtendBaseWidget(v)
	return v
}

func (v *codeView) set(lines []sourceLine, center int) {
	v.lines.first, v.lines.last = 0, 1 // settle computes the visible lines
	v.lines.set(lines, false)
	v.Refresh()
	v.center = center
	v.settle()
}

func (v *codeView) settle() {
	height := v.Size().Height
	if height <= 0 {
		return
	}
	y := float32(0)
	if v.center > 0 {
		h := v.lines.lineHeight()
		y = float32(int((float32(v.center) + 0.5 - height/2/h))) * h // start with a whole line
	}
	most := max(0, v.lines.MinSize().Height-height)
	v.Offset = fyne.NewPos(0, min(max(0, y), most))
	v.Refresh()
	v.lines.look(v.Offset.Y, height)
}

func (v *codeView) Resize(size fyne.Size) {
	same := size == v.Size()
	v.scroll.Resize(size)
	if !same {
		v.settle()
	}
}

type codeArea struct {
	listing
	tapped func(line, column int)
	chosen func() // called after a selection

	dragging bool
}

var (
	_ fyne.Tappable      = (*codeArea)(nil)
	_ fyne.Draggable     = (*codeArea)(nil)
	_ desktop.Cursorable = (*codeArea)(nil)
)

func newCodeArea() *codeArea {
	a := &codeArea{listing: listing{size: theme.SizeNameText}}
	a.self = a
	a.ExtendBaseWidget(a)
	return a
}

// at returns the line and column at p. It adds half to the column before rounding down, so a value of 0.5 selects the
// nearest gap between runes.
func (a *codeArea) at(p fyne.Position, half float32) (line, column int) {
	return int(p.Y / a.lineHeight()), int((p.X-a.gutterWidth())/a.cell().Width + half)
}

func (a *codeArea) Dragged(e *fyne.DragEvent) {
	put := func(p fyne.Position) cursor {
		line, column := a.at(p, 0.5)
		return cursor{min(max(line, 0), len(a.lines)-1), max(column, 0)}
	}
	if !a.dragging {
		a.dragging, a.from = true, put(e.Position.Subtract(e.Dragged))
	}
	a.to = put(e.Position)
	a.Refresh()
}
func (a *codeArea) DragEnd() {
	a.dragging = false
	if a.chosen != nil {
		a.chosen()
	}
}

func (a *codeArea) Tapped(e *fyne.PointEvent) {
	a.from, a.to = cursor{}, cursor{}
	a.Refresh()
	line, column := a.at(e.Position, 0)
	if a.tapped != nil && line >= 0 && line < len(a.lines) && column >= 0 {
		a.tapped(line, column)
	}
}

func (*codeArea) Cursor() desktop.Cursor { return desktop.TextCursor }
