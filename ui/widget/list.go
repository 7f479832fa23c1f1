package widget

import (
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
	Length         func() int
	row            func() (content fyne.CanvasObject, draw func(i int))
	Height         func(i int) float32
	Stops          func(i int) bool // reports whether row i can be highlighted; nil means all
	Leads          func(i int) bool // reports whether a heading can be clicked
	Moved, Clicked func(i int)
	Picked, Escape func()
	Typed          func(rune)                  // handles letters and '\b', or nil
	Menu           func(row fyne.CanvasObject) // opens the menu of the highlighted row, or nil
	Lined          bool
	margin         bool // put the scroll bar in the page's margin

	At      int
	focused bool
	ByMouse bool // used by a click: show no ring
	Scroll  *Scroll
	body    *fyne.Container
	Rows    map[int]*PickRow
	Ends    []float32
}

// NewList returns a list of rows. row returns the content of a new row, and a function that draws row i in it.
func NewList(height float32, length func() int, row func() (fyne.CanvasObject, func(i int))) *List {
	l := &List{At: -1, Length: length, row: row, Height: func(int) float32 { return height }, Rows: map[int]*PickRow{}}
	l.body = container.New(Layout{l.whole, func(fyne.Size) { l.Arrange(false) }})
	l.Scroll = newScroll(l.body, container.ScrollVerticalOnly)
	l.Scroll.OnScrolled = func(fyne.Position) { l.Arrange(false) }
	l.ExtendBaseWidget(l)
	return l
}

const barWidth = 12

func (l *List) InMargin() fyne.CanvasObject {
	l.Lined, l.margin = true, true
	return Pad(0, 0, 0, -barWidth, l)
}

func (l *List) Width() float32 {
	width := l.Size().Width
	if l.margin || l.whole().Height > l.Size().Height {
		width -= barWidth
	}
	return width
}

func (l *List) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(l.Scroll) }

func (l *List) Resize(size fyne.Size) {
	if size == l.Size() {
		return
	}
	l.BaseWidget.Resize(size)
	for _, r := range l.Rows { // the pointer is over another row now
		r.Hovered = false
	}
	l.measure() // heights may depend on the width
	l.Arrange(false)
}

func (l *List) Refresh() {
	l.measure()
	l.Scroll.Resize(l.Size())
	l.Scroll.Refresh()
	l.Arrange(true)
}

func (l *List) Choose(i int) {
	if i < 0 || i >= l.Length() {
		l.Clear()
		return
	}
	l.At = i
	l.Reveal(i)
	l.Arrange(true)
	if l.Moved != nil {
		l.Moved(i)
	}
}

func (l *List) Clear() {
	l.At = -1
	l.Arrange(true)
}

// Reveal scrolls to row i. The first visible row is whole.
func (l *List) Reveal(i int) {
	top, end := l.Ends[i]-l.Height(i), l.Ends[i]
	at := l.Scroll.Offset.Y
	if least := end - l.Scroll.Size().Height; least > at {
		at = l.Ends[sort.Search(i, func(k int) bool { return l.Ends[k] >= least })]
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
	case fyne.KeyBackspace:
		l.TypedRune('\b')
	case fyne.KeyHome:
		l.Step(-l.Length())
	case fyne.KeyEnd:
		l.Step(l.Length())
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if l.Picked != nil && l.At >= 0 {
			l.Picked()
		}
	case desktop.KeyMenu, fyne.KeyF10: // Shift+F10
		if r, there := l.Rows[l.At]; l.Menu != nil && there {
			l.Menu(r.Content)
		}
	case fyne.KeyEscape:
		if l.Escape == nil {
			help(l, e)
			return
		}
		l.Escape()
	default:
		help(l, e)
		if by := Steps[e.Name]; by != 0 {
			l.Step(by)
		}
	}
}

func (l *List) FocusGained() { l.focused = true; l.Arrange(true) }
func (l *List) FocusLost()   { l.focused, l.ByMouse = false, false; l.Arrange(true) }

func (l *List) TypedRune(r rune) {
	if l.Typed != nil {
		l.Typed(r)
	}
}

func (l *List) measure() {
	l.Ends = l.Ends[:0]
	end := float32(0)
	for i := range l.Length() {
		end += l.Height(i)
		l.Ends = append(l.Ends, end)
	}
	l.At = min(l.At, len(l.Ends)-1)
}

func (l *List) Arrange(all bool) {
	top := l.Scroll.Offset.Y
	bottom := top + l.Scroll.Size().Height
	before := l.Rows
	l.Rows, l.body.Objects = map[int]*PickRow{}, nil
	for i := sort.Search(len(l.Ends), func(i int) bool { return l.Ends[i] > top }); i < len(l.Ends); i++ {
		h := l.Height(i)
		if l.Ends[i]-h >= bottom {
			break
		}
		r, there := before[i]
		if !there {
			r = &PickRow{list: l, Index: i}
			r.Content, r.draw = l.row()
			r.ExtendBaseWidget(r)
		}
		l.Rows[i], l.body.Objects = r, append(l.body.Objects, r)
		Place(r, 0, l.Ends[i]-h, l.Width(), h)
		if !there || all {
			r.draw(i)
			r.Refresh()
		}
	}
	canvas.Refresh(l.body)
}

// whole returns the total size of all rows.
func (l *List) whole() (m fyne.Size) {
	if n := len(l.Ends); n > 0 {
		m.Height = l.Ends[n-1]
	}
	return m
}

type PickRow struct {
	widget.BaseWidget
	list    *List
	Index   int
	Content fyne.CanvasObject
	draw    func(i int)
	Hovered bool
}

func (r *PickRow) Tapped(*fyne.PointEvent) {
	l, i := r.list, r.Index
	if i >= l.Length() {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(l); l.Clicked == nil && c != nil {
		l.ByMouse = true
		c.Focus(l)
	}
	if (l.Stops == nil || l.Stops(i)) && i != l.At {
		l.Choose(i)
	} else if i == l.At && l.Clicked == nil && l.Picked != nil {
		l.Picked()
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
		within(ring, ringWidth/2, size)
		line.Hidden = size.Height <= GapSmall // draw no line for a gap
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
