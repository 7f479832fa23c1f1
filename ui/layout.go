package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// bounded gives its object at most a width, from the left.
type bounded struct{ width float32 }

func (b bounded) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	size.Width = min(size.Width, b.width)
	for _, o := range objects {
		o.Resize(size)
		o.Move(fyne.NewPos(0, 0))
	}
}

func (bounded) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, o := range objects {
		m = m.Max(o.MinSize())
	}
	return m
}

// fixed gives its object exactly a width; 0 leaves the height to the object.
type fixed struct{ width, height float32 }

func (f fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
		o.Move(fyne.NewPos(0, 0))
	}
}

func (f fixed) MinSize(objects []fyne.CanvasObject) fyne.Size {
	s := fyne.NewSize(f.width, f.height)
	for _, o := range objects {
		if o.Visible() {
			s.Height = max(s.Height, o.MinSize().Height)
		}
	}
	return s
}

func wide(width float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(fixed{width: width}, o)
}

// right puts its object at the right edge in its smallest width and the full height.
type right struct{ width float32 }

func (r right) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := min(size.Width, r.width)
	for _, o := range objects {
		o.Resize(fyne.NewSize(w, size.Height))
		o.Move(fyne.NewPos(size.Width-w, 0))
	}
}

func (right) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 0) }

// middle centres its objects in their smallest height, keeping the width.
type middle struct{}

func (middle) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		h := o.MinSize().Height
		o.Resize(fyne.NewSize(size.Width, h))
		o.Move(fyne.NewPos(0, (size.Height-h)/2))
	}
}

func (middle) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, o := range objects {
		m = m.Max(o.MinSize())
	}
	return m
}

func centred(o fyne.CanvasObject) fyne.CanvasObject { return container.New(middle{}, o) }

func pad(top, bottom, left, rightPad float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(top, bottom, left, rightPad), o)
}

// row puts objects side by side.
func row(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(gapSmall), objects...)
}

func column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(gap), objects...)
}

// frame is a page: title at the top left, its one main action at the top right, a line, the content.
func frame(title string, action fyne.CanvasObject, content fyne.CanvasObject) fyne.CanvasObject {
	return container.New(bounded{pageWidth + 2*gapPage}, wideFrame(title, action, content))
}

// wideFrame is a frame that takes all the width there is.
func wideFrame(title string, action fyne.CanvasObject, content fyne.CanvasObject) fyne.CanvasObject {
	var side fyne.CanvasObject
	if action != nil {
		side = centred(action)
	}
	head := container.New(fixed{height: 36}, container.NewBorder(nil, nil, nil, side, centred(heading(title))))
	top := column(gapSmall, head, widget.NewSeparator())
	return pad(gapGroup, gapGroup, gapPage, gapPage, container.New(gapBorder{gapSmall}, top, content))
}

// gapBorder puts its first object on top and gives the second the rest, a gap below.
type gapBorder struct{ gap float32 }

func (g gapBorder) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := objects[0].MinSize().Height
	objects[0].Resize(fyne.NewSize(size.Width, h))
	objects[0].Move(fyne.NewPos(0, 0))
	objects[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-h-g.gap)))
	objects[1].Move(fyne.NewPos(0, h+g.gap))
}

func (g gapBorder) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(a.Width, b.Width), a.Height+g.gap+b.Height)
}

func layoutSpacer() fyne.CanvasObject { return layout.NewSpacer() }

// flush puts a link at the left edge: its own space around would indent it.
func flush(b *button) fyne.CanvasObject { return pad(0, 0, -gapSmall, 0, row(b)) }

// relayout gives everything its place anew after something appeared or went. Wrapped text knows its height only once it
// has its width, hence the second time.
func (w *Window) relayout() {
	if w.win.Content() == nil {
		return // the window is being made
	}
	w.win.Content().Refresh()
	w.win.Content().Refresh()
}
