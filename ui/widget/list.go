package widget

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

type List struct {
	widget.BaseWidget
	Length  func() int
	row     func() fyne.CanvasObject
	draw    func(i int, content fyne.CanvasObject)
	Height  func(i int) float32
	Stops   func(i int) bool // whether row i can be highlighted; nil means every row
	Leads   func(i int) bool // whether a click on a row without a highlight has an effect; may be nil
	Moved   func(i int)
	Clicked func(i int)
	Picked  func()
	Escape  func()
	Menu    func(row fyne.CanvasObject) // opens the menu of the highlighted row, or nil
	Lined   bool                        // draws a line under each row
	margin  bool                        // the scroll bar is in the page's margin

	At      int
	focused bool
	ByMouse bool // a click focused the list, so no focus ring is drawn
	Scroll  *Scroll
	Body    *pickBody
}

func NewList(height float32, length func() int, row func() fyne.CanvasObject,
	draw func(i int, content fyne.CanvasObject)) *List {
	l := &List{At: -1, Length: length, row: row, draw: draw, Height: func(int) float32 { return height }}
	l.Body = &pickBody{list: l}
	l.Body.ExtendBaseWidget(l.Body)
	l.Scroll = newScroll(l.Body, container.ScrollVerticalOnly)
	l.Scroll.OnScrolled = func(fyne.Position) { l.Body.Arrange(false) }
	l.ExtendBaseWidget(l)
	return l
}

const barWidth = 12

func (l *List) InMargin() fyne.CanvasObject {
	l.Lined, l.margin = true, true
	return Pad(0, 0, 0, -barWidth, l)
}

func (l *List) Width() float32 {
	width, ends := l.Size().Width, l.Body.Ends
	if l.margin || len(ends) > 0 && ends[len(ends)-1] > l.Size().Height {
		width -= barWidth
	}
	return width
}

func (l *List) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(filled{l}, l.Scroll))
}

type filled struct{ l *List }

func (x filled) MinSize([]fyne.CanvasObject) fyne.Size { return x.l.Scroll.MinSize() }

func (x filled) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if x.l.Scroll.Size() != size { // the rows have moved under the pointer
		for _, r := range x.l.Body.Rows {
			r.Hovered = false
		}
	}
	x.l.Scroll.Resize(size)
	x.l.Body.measure() // heights may depend on the width
	x.l.Body.Arrange(false)
}

func (l *List) Refresh() {
	l.Body.measure()
	filled{l}.Layout(nil, l.Size())
	l.Scroll.Refresh()
	l.Body.Arrange(true)
}

func (l *List) Choose(i int) {
	if i < 0 || i >= l.Length() {
		l.Clear()
		return
	}
	l.At = i
	l.Reveal(i)
	l.Body.Arrange(true)
	if l.Moved != nil {
		l.Moved(i)
	}
}

func (l *List) Clear() {
	l.At = -1
	l.Body.Arrange(true)
}

func (l *List) Reveal(i int) {
	top, end := l.Body.Ends[i]-l.Height(i), l.Body.Ends[i]
	at := l.Scroll.Offset.Y
	if end > at+l.Scroll.Size().Height {
		at = end - l.Scroll.Size().Height
	}
	if at = min(at, top); at != l.Scroll.Offset.Y {
		l.Scroll.ScrollToOffset(fyne.NewPos(0, max(0, at)))
	}
}

func (l *List) ToTop() { l.Scroll.ScrollToTop() }

func (l *List) Step(by int) {
	n, way := l.Length(), 1
	if by < 0 {
		way = -1
	}
	to := min(max(l.At+by, 0), n-1)
	for to >= 0 && to < n && l.Stops != nil && !l.Stops(to) {
		to += way
	}
	if to >= 0 && to < n && to != l.At {
		l.Choose(to)
	}
}

const pageRows = 5

var Steps = map[fyne.KeyName]int{
	fyne.KeyDown: 1, fyne.KeyUp: -1, fyne.KeyPageDown: pageRows, fyne.KeyPageUp: -pageRows,
}

func (l *List) TypedKey(e *fyne.KeyEvent) {
	l.ByMouse = false
	switch e.Name {
	case fyne.KeyHome:
		l.Step(-l.Length())
	case fyne.KeyEnd:
		l.Step(l.Length())
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if l.Picked != nil && l.At >= 0 {
			l.Picked()
		}
	case desktop.KeyMenu, fyne.KeyF10: // Shift+F10
		if r, there := l.Body.Rows[l.At]; l.Menu != nil && there {
			l.Menu(r.Content)
		}
	case fyne.KeyEscape:
		if l.Escape != nil {
			l.Escape()
		}
	default:
		help(l, e)
		if by := Steps[e.Name]; by != 0 {
			l.Step(by)
		}
	}
}

func (l *List) FocusGained()   { l.focused = true; l.Body.Arrange(true) }
func (l *List) FocusLost()     { l.focused, l.ByMouse = false, false; l.Body.Arrange(true) }
func (l *List) TypedRune(rune) {}

type pickBody struct {
	widget.BaseWidget
	list *List
	Ends []float32 // bottom of each row
	Rows map[int]*PickRow
	free []*PickRow
}

func (b *pickBody) measure() {
	b.Ends = b.Ends[:0]
	end := float32(0)
	for i := range b.list.Length() {
		end += b.list.Height(i)
		b.Ends = append(b.Ends, end)
	}
	b.list.At = min(b.list.At, len(b.Ends)-1)
}

func (b *pickBody) Arrange(all bool) {
	top := b.list.Scroll.Offset.Y
	bottom := top + b.list.Scroll.Size().Height
	first := sort.Search(len(b.Ends), func(i int) bool { return b.Ends[i] > top })
	if b.Rows == nil {
		b.Rows = map[int]*PickRow{}
	}
	last := first
	for last < len(b.Ends) && b.Ends[last]-b.list.Height(last) < bottom {
		last++
	}
	for i, r := range b.Rows {
		if i < first || i >= last {
			r.Hovered = false
			b.free = append(b.free, r)
			delete(b.Rows, i)
		}
	}
	for i := first; i < last; i++ {
		r, there := b.Rows[i]
		if !there {
			if n := len(b.free); n > 0 {
				r, b.free = b.free[n-1], b.free[:n-1]
			} else {
				r = newPickRow(b.list, b.list.row())
			}
			b.Rows[i], r.Index = r, i
		}
		h := b.list.Height(i)
		Place(r, 0, b.Ends[i]-h, b.list.Width(), h)
		if !there || all {
			b.list.draw(i, r.Content)
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
func (r pickBodyRenderer) Layout(fyne.Size) { r.b.Arrange(false) }

func (r pickBodyRenderer) MinSize() (m fyne.Size) {
	if n := len(r.b.Ends); n > 0 {
		m.Height = r.b.Ends[n-1]
	}
	return m
}

func (r pickBodyRenderer) Objects() (all []fyne.CanvasObject) {
	for _, i := range slices.Sorted(maps.Keys(r.b.Rows)) {
		all = append(all, r.b.Rows[i])
	}
	return all
}

type PickRow struct {
	widget.BaseWidget
	list    *List
	Index   int
	Content fyne.CanvasObject
	Hovered bool
}

func newPickRow(l *List, content fyne.CanvasObject) *PickRow {
	r := &PickRow{list: l, Content: content}
	r.ExtendBaseWidget(r)
	return r
}

func (r *PickRow) Tapped(*fyne.PointEvent) {
	l, i := r.list, r.Index
	if i >= l.Length() {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(l); l.Clicked == nil && c != nil && !l.focused {
		l.ByMouse = true
		c.Focus(l)
	}
	if (l.Stops == nil || l.Stops(i)) && i != l.At {
		l.Choose(i)
	}
	if l.Clicked != nil {
		l.Clicked(i)
	}
}

func (r *PickRow) MouseIn(*desktop.MouseEvent) { r.Hovered = true; r.Refresh() }

func (r *PickRow) MouseMoved(e *desktop.MouseEvent) {
	if !r.Hovered {
		r.MouseIn(e)
	}
}

func (r *PickRow) MouseOut() { r.Hovered = false; r.Refresh() }

func (r *PickRow) CreateRenderer() fyne.WidgetRenderer {
	ground, line, ring := NewFill("", buttonRadius), NewFill("", 0), NewFill("", buttonRadius)
	return newDrawing(r, r.Content.MinSize, func(size fyne.Size) {
		ground.Resize(size)
		ring.Resize(size)
		line.Hidden = size.Height <= GapSmall // the row is a gap
		Place(line, 0, size.Height-1, size.Width, 1)
		r.Content.Resize(size)
	}, func() {
		l, chosen := r.list, r.Index == r.list.At
		switch {
		case chosen:
			ground.paint(theme.ColorNameSelection)
		case r.Hovered && (l.Stops == nil || l.Stops(r.Index) || l.Leads != nil && l.Leads(r.Index)):
			ground.paint(theme.ColorNameHover)
		default:
			ground.paint("")
		}
		line.paint("")
		if l.Lined && !chosen && r.Index < l.Length()-1 {
			line.paint(theme.ColorNameSeparator)
		}
		ring.ring(l.focused && chosen && !l.ByMouse)
	}, ground, line, r.Content, ring)
}
