package ui

import (
	"maps"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type pickList struct {
	widget.BaseWidget
	length  func() int
	row     func() fyne.CanvasObject
	draw    func(i int, content fyne.CanvasObject)
	height  func(i int) float32
	stops   func(i int) bool // whether row i can be highlighted; nil means every row
	leads   func(i int) bool // whether a click on a row without a highlight has an effect; may be nil
	moved   func(i int)
	clicked func(i int)
	picked  func()
	escape  func()
	menu    func(row fyne.CanvasObject) // opens the menu of the highlighted row, or nil
	lined   bool                        // draws a line under each row
	margin  bool                        // the scroll bar is in the page's margin

	at      int
	focused bool
	byMouse bool // a click focused the list, so no focus ring is drawn
	scroll  *scroll
	body    *pickBody
}

func newPickList(height float32, length func() int, row func() fyne.CanvasObject,
	draw func(i int, content fyne.CanvasObject)) *pickList {
	l := &pickList{at: -1, length: length, row: row, draw: draw, height: func(int) float32 { return height }}
	l.body = &pickBody{list: l}
	l.body.ExtendBaseWidget(l.body)
	l.scroll = newScroll(l.body, container.ScrollVerticalOnly)
	l.scroll.OnScrolled = func(fyne.Position) { l.body.arrange(false) }
	l.ExtendBaseWidget(l)
	return l
}

const barWidth = 12

func (l *pickList) inMargin() fyne.CanvasObject {
	l.lined, l.margin = true, true
	return pad(0, 0, 0, -barWidth, l)
}

func (l *pickList) width() float32 {
	width, ends := l.Size().Width, l.body.ends
	if l.margin || len(ends) > 0 && ends[len(ends)-1] > l.Size().Height {
		width -= barWidth
	}
	return width
}

func (l *pickList) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(filled{l}, l.scroll))
}

type filled struct{ l *pickList }

func (x filled) MinSize([]fyne.CanvasObject) fyne.Size { return x.l.scroll.MinSize() }
func (x filled) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if x.l.scroll.Size() != size { // the rows have moved under the pointer
		for _, r := range x.l.body.rows {
			r.hovered = false
		}
	}
	x.l.scroll.Resize(size)
	x.l.body.measure() // heights may depend on the width
	x.l.body.arrange(false)
}

func (l *pickList) Refresh() {
	l.body.measure()
	filled{l}.Layout(nil, l.Size())
	l.scroll.Refresh()
	l.body.arrange(true)
}

func (l *pickList) choose(i int) {
	if i < 0 || i >= l.length() {
		l.clear()
		return
	}
	l.at = i
	l.reveal(i)
	l.body.arrange(true)
	if l.moved != nil {
		l.moved(i)
	}
}

func (l *pickList) clear() {
	l.at = -1
	l.body.arrange(true)
}

func (l *pickList) reveal(i int) {
	top, end := l.body.ends[i]-l.height(i), l.body.ends[i]
	at := l.scroll.Offset.Y
	if end > at+l.scroll.Size().Height {
		at = end - l.scroll.Size().Height
	}
	if at = min(at, top); at != l.scroll.Offset.Y {
		l.scroll.ScrollToOffset(fyne.NewPos(0, max(0, at)))
	}
}

func (l *pickList) toTop() { l.scroll.ScrollToTop() }

func (l *pickList) step(by int) {
	n, way := l.length(), 1
	if by < 0 {
		way = -1
	}
	to := min(max(l.at+by, 0), n-1)
	for to >= 0 && to < n && l.stops != nil && !l.stops(to) {
		to += way
	}
	if to >= 0 && to < n && to != l.at {
		l.choose(to)
	}
}

const pageRows = 5

var steps = map[fyne.KeyName]int{
	fyne.KeyDown: 1, fyne.KeyUp: -1, fyne.KeyPageDown: pageRows, fyne.KeyPageUp: -pageRows,
}

func (l *pickList) TypedKey(e *fyne.KeyEvent) {
	l.byMouse = false
	switch e.Name {
	case fyne.KeyHome:
		l.step(-l.length())
	case fyne.KeyEnd:
		l.step(l.length())
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if l.picked != nil && l.at >= 0 {
			l.picked()
		}
	case desktop.KeyMenu, fyne.KeyF10: // Shift+F10
		if r, there := l.body.rows[l.at]; l.menu != nil && there {
			l.menu(r.content)
		}
	case fyne.KeyEscape:
		if l.escape != nil {
			l.escape()
		}
	default:
		help(l, e)
		if by := steps[e.Name]; by != 0 {
			l.step(by)
		}
	}
}

func (l *pickList) FocusGained()   { l.focused = true; l.body.arrange(true) }
func (l *pickList) FocusLost()     { l.focused, l.byMouse = false, false; l.body.arrange(true) }
func (l *pickList) TypedRune(rune) {}

type pickBody struct {
	widget.BaseWidget
	list *pickList
	ends []float32 // bottom of each row
	rows map[int]*pickRow
	free []*pickRow
}

func (b *pickBody) measure() {
	b.ends = b.ends[:0]
	end := float32(0)
	for i := range b.list.length() {
		end += b.list.height(i)
		b.ends = append(b.ends, end)
	}
	b.list.at = min(b.list.at, len(b.ends)-1)
}

func (b *pickBody) arrange(all bool) {
	top := b.list.scroll.Offset.Y
	bottom := top + b.list.scroll.Size().Height
	first := sort.Search(len(b.ends), func(i int) bool { return b.ends[i] > top })
	if b.rows == nil {
		b.rows = map[int]*pickRow{}
	}
	last := first
	for last < len(b.ends) && b.ends[last]-b.list.height(last) < bottom {
		last++
	}
	for i, r := range b.rows {
		if i < first || i >= last {
			r.hovered = false
			b.free = append(b.free, r)
			delete(b.rows, i)
		}
	}
	for i := first; i < last; i++ {
		r, there := b.rows[i]
		if !there {
			if n := len(b.free); n > 0 {
				r, b.free = b.free[n-1], b.free[:n-1]
			} else {
				r = newPickRow(b.list, b.list.row())
			}
			b.rows[i], r.index = r, i
		}
		h := b.list.height(i)
		put(r, 0, b.ends[i]-h, b.list.width(), h)
		if !there || all {
			b.list.draw(i, r.content)
			r.Refresh()
		}
	}
	canvas.Refresh(b)
}

func (b *pickBody) CreateRenderer() fyne.WidgetRenderer {
	b.measure()
	return pickBodyRenderer{b}
}

type pickBodyRenderer struct{ b *pickBody }

func (r pickBodyRenderer) Destroy()         {}
func (r pickBodyRenderer) Refresh()         { r.b.free = nil } // free rows may have the colours of another theme
func (r pickBodyRenderer) Layout(fyne.Size) { r.b.arrange(false) }
func (r pickBodyRenderer) MinSize() (m fyne.Size) {
	if n := len(r.b.ends); n > 0 {
		m.Height = r.b.ends[n-1]
	}
	return m
}
func (r pickBodyRenderer) Objects() (all []fyne.CanvasObject) {
	for _, i := range slices.Sorted(maps.Keys(r.b.rows)) {
		all = append(all, r.b.rows[i])
	}
	return all
}

type pickRow struct {
	widget.BaseWidget
	list    *pickList
	index   int
	content fyne.CanvasObject
	hovered bool
}

var (
	_ fyne.Tappable     = (*pickRow)(nil)
	_ desktop.Hoverable = (*pickRow)(nil)
)

func newPickRow(l *pickList, content fyne.CanvasObject) *pickRow {
	r := &pickRow{list: l, content: content}
	r.ExtendBaseWidget(r)
	return r
}

func (r *pickRow) Tapped(*fyne.PointEvent) {
	l, i := r.list, r.index
	if i >= l.length() {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(l); l.clicked == nil && c != nil && !l.focused {
		l.byMouse = true
		c.Focus(l)
	}
	if (l.stops == nil || l.stops(i)) && i != l.at {
		l.choose(i)
	}
	if l.clicked != nil {
		l.clicked(i)
	}
}
func (r *pickRow) MouseIn(*desktop.MouseEvent) { r.hovered = true; r.Refresh() }
func (r *pickRow) MouseMoved(e *desktop.MouseEvent) {
	if !r.hovered {
		r.MouseIn(e)
	}
}
func (r *pickRow) MouseOut() { r.hovered = false; r.Refresh() }

func (r *pickRow) CreateRenderer() fyne.WidgetRenderer {
	ground, line, ring := newFill("", buttonRadius), newFill("", 0), newFill("", buttonRadius)
	return newDrawing(r, r.content.MinSize, func(size fyne.Size) {
		ground.Resize(size)
		ring.Resize(size)
		line.Hidden = size.Height <= gapSmall // the row is a gap
		put(line, 0, size.Height-1, size.Width, 1)
		r.content.Resize(size)
	}, func() {
		l, chosen := r.list, r.index == r.list.at
		switch {
		case chosen:
			ground.paint(theme.ColorNameSelection)
		case r.hovered && (l.stops == nil || l.stops(r.index) || l.leads != nil && l.leads(r.index)):
			ground.paint(theme.ColorNameHover)
		default:
			ground.paint("")
		}
		line.paint("")
		if l.lined && !chosen && r.index < l.length()-1 {
			line.paint(theme.ColorNameSeparator)
		}
		ring.ring(l.focused && chosen && !l.byMouse)
	}, ground, line, r.content, ring)
}
