package widget

import (
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

type Sized struct{ Width, Height float32 }

func (f Sized) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
		o.Move(fyne.NewPos(0, 0))
	}
}

func (f Sized) MinSize(objects []fyne.CanvasObject) fyne.Size {
	s := fyne.NewSize(f.Width, f.Height)
	for _, o := range objects {
		if o.Visible() {
			s.Height = max(s.Height, o.MinSize().Height)
		}
	}
	return s
}

// Layout is a layout with two functions: Min returns the minimum size, and Do places the objects.
type Layout struct {
	Min func() fyne.Size
	Do  func(size fyne.Size)
}

func (l Layout) MinSize([]fyne.CanvasObject) fyne.Size        { return l.Min() }
func (l Layout) Layout(_ []fyne.CanvasObject, size fyne.Size) { l.Do(size) }

// Least returns a layout with a constant minimum size.
func Least(width, height float32, do func(size fyne.Size)) Layout {
	return Layout{func() fyne.Size { return fyne.NewSize(width, height) }, do}
}

type Within float32

func (x Within) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := o[0].MinSize()
	return fyne.NewSize(min(m.Width, float32(x)), m.Height)
}

func (x Within) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := min(size.Width, float32(x))
	o[0].Resize(fyne.NewSize(width, o[0].Size().Height)) // the height of wrapped text depends on its width
	h := o[0].MinSize().Height
	Place(o[0], (size.Width-width)/2, (size.Height-h)/2, width, h)
}

// Turn shows one object of a stack and hides the others.
func Turn(stack *fyne.Container, front fyne.CanvasObject) {
	for _, o := range stack.Objects {
		if o != front && o.Visible() {
			o.Hide()
		}
	}
	front.Show()
}

func Place(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(max(0, width), max(0, height)))
}

func within(o fyne.CanvasObject, inset float32, size fyne.Size) {
	Place(o, inset, inset, size.Width-2*inset, size.Height-2*inset)
}

func Wide(width float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(Sized{Width: width}, o)
}

type Groups struct {
	Aligned bool // groups in a row begin at the same height
}

// GroupsIn returns the number of columns of Groups, and their width.
func GroupsIn(width float32) (n int, each float32) {
	n = max(1, int((width+GapPage)/(leastColumn+GapPage)))
	return n, (width+GapPage)/float32(n) - GapPage
}

func (g Groups) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	n, width := GroupsIn(size.Width)
	ends := make([]float32, n)
	for at, o := range objects {
		o.Resize(fyne.NewSize(width, o.Size().Height)) // the height of wrapped text depends on its width
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
		i := at % n // not the shortest column, because objects would move when one grows
		o.Move(fyne.NewPos(float32(i)*(width+GapPage), ends[i]))
		ends[i] += o.MinSize().Height + GapPage
		if !g.Aligned || i < n-1 && at < len(objects)-1 {
			continue
		}
		end := slices.Max(ends)
		for c := range ends {
			ends[c] = end
		}
	}
}

func (Groups) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, o := range objects {
		m.Width = max(m.Width, o.MinSize().Width)
		m.Height = max(m.Height, o.Position().Y+o.MinSize().Height)
	}
	return m
}

func Columns(body fyne.CanvasObject) (fyne.CanvasObject, *Scroll) {
	scroll := Tall(Pad(GapSmall, GapPage, GapSmall, GapGroup, body))
	return Pad(0, -GapGroup, -GapSmall, -GapGroup, scroll), scroll
}

func Centred(o fyne.CanvasObject) *fyne.Container {
	return Column(0, layout.NewSpacer(), o, layout.NewSpacer())
}

func Pad(top, bottom, left, rightPad float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(top, bottom, left, rightPad), o)
}

// Row puts objects next to each other and ignores nil.
func Row(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(GapSmall), present(objects)...)
}

func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(gap), present(objects)...)
}

func present(objects []fyne.CanvasObject) []fyne.CanvasObject {
	return slices.DeleteFunc(objects, func(o fyne.CanvasObject) bool { return o == nil })
}

// Some calls object for s, or returns nil if s is empty.
func Some[O fyne.CanvasObject](object func(s string) O, s string) fyne.CanvasObject {
	if s == "" {
		return nil
	}
	return object(s)
}

func Frame(title string, action fyne.CanvasObject, content fyne.CanvasObject) fyne.CanvasObject {
	top := Column(GapSmall, HeadLine(Heading(title), action), widget.NewSeparator())
	return Pad(GapGroup, GapGroup, GapPage, GapPage, Below(GapSmall, top, content))
}

func HeadLine(title *Text, action fyne.CanvasObject) fyne.CanvasObject {
	if action != nil {
		action = Centred(action)
	}
	return container.New(Sized{Height: 36}, container.NewBorder(nil, nil, nil, action, Centred(title)))
}

// Below puts content below top. content gets the remaining height, and top is first in Tab order.
func Below(gap float32, top, content fyne.CanvasObject) fyne.CanvasObject {
	head := Pad(0, gap-4, 0, 0, top) // BorderLayout adds 4 pixels
	return container.New(layout.NewBorderLayout(head, nil, nil, nil), head, content)
}

func Flush(b *Button) *fyne.Container { return Pad(0, 0, -GapSmall, 0, Row(b)) }

// Scroll is a Fyne scroll container that moves three lines per notch of the wheel.
type Scroll struct{ container.Scroll }

// WheelPace returns a factor for the scroll distances of Fyne's events. macOS already reports pixels.
func WheelPace() float32 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 3
}

func newScroll(o fyne.CanvasObject, way container.ScrollDirection) *Scroll {
	return extended(&Scroll{container.Scroll{Content: o, Direction: way}})
}

func Tall(o fyne.CanvasObject) *Scroll { return newScroll(o, container.ScrollVerticalOnly) }

// Each calls object for every string.
func Each[O fyne.CanvasObject](object func(s string) O, all []string) (objects []fyne.CanvasObject) {
	for _, s := range all {
		objects = append(objects, object(s))
	}
	return objects
}

// Children returns the objects in a container or in a widget that shows a container.
func Children(o fyne.CanvasObject) []fyne.CanvasObject {
	switch x := o.(type) {
	case *fyne.Container:
		return x.Objects
	case *Scroll:
		return []fyne.CanvasObject{x.Content}
	case interface{ Inner() fyne.CanvasObject }:
		return []fyne.CanvasObject{x.Inner()}
	}
	return nil
}

// reveal scrolls in each window until the ring of the focused control is visible.
func reveal() {
	for _, w := range fyne.CurrentApp().Driver().AllWindows() {
		c, root := w.Canvas(), w.Canvas().Content()
		if top := c.Overlays().Top(); top != nil {
			root = top
		}
		if o, ok := c.Focused().(fyne.CanvasObject); ok && root != nil {
			revealIn(root, o)
		}
	}
}

// revealIn returns the distance from the top of root to o. found is false if o is not in root.
func revealIn(root, o fyne.CanvasObject) (y float32, found bool) {
	if root == o {
		return 0, true
	}
	if l, is := root.(*List); is {
		for i, r := range l.Rows {
			if _, found = revealIn(r.Content, o); found {
				l.Reveal(i)
				return 0, true
			}
		}
	}
	for _, child := range Children(root) {
		if !child.Visible() {
			continue
		}
		if y, found = revealIn(child, o); !found {
			continue
		}
		y += child.Position().Y
		if s, scrolls := root.(*Scroll); scrolls {
			y -= s.show(y-GapSmall, y+o.Size().Height+GapSmall)
		}
		return y, true
	}
	return 0, false
}

// show scrolls vertically until top and, if possible, bottom are visible. It returns the distance.
func (s *Scroll) show(top, bottom float32) float32 {
	by := max(0, bottom-s.Size().Height)
	if by = min(by, top); by != 0 && s.Size().Height > 0 {
		before := s.Offset.Y
		s.ScrollToOffset(s.Offset.AddXY(0, by))
		return s.Offset.Y - before
	}
	return 0
}

func (s *Scroll) Scrolled(e *fyne.ScrollEvent) {
	faster := *e
	faster.Scrolled.DX, faster.Scrolled.DY = e.Scrolled.DX*WheelPace(), e.Scrolled.DY*WheelPace()
	s.Scroll.Scrolled(&faster)
}
