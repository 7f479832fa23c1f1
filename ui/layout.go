package ui

import (
	"maps"
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/ui/present"
)

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

type within float32

func (x within) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := o[0].MinSize()
	return fyne.NewSize(min(m.Width, float32(x)), m.Height)
}

func (x within) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := min(size.Width, float32(x))
	o[0].Resize(fyne.NewSize(width, o[0].Size().Height)) // the height of wrapped text depends on its width
	h := o[0].MinSize().Height
	put(o[0], (size.Width-width)/2, (size.Height-h)/2, width, h)
}

type shownOne struct{}

func (shownOne) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		if o.Visible() {
			o.Resize(size)
		}
	}
}

func (shownOne) MinSize(objects []fyne.CanvasObject) (s fyne.Size) {
	for _, o := range objects {
		if o.Visible() {
			s = o.MinSize()
		}
	}
	return s
}

func turn(c *fyne.Container, to fyne.CanvasObject) {
	for _, o := range c.Objects {
		if o != to && o.Visible() {
			o.Hide()
		}
	}
	to.Show()
	c.Layout.Layout(c.Objects, c.Size())
	canvas.Refresh(c)
}

func put(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(max(0, width), max(0, height)))
}

func wide(width float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(fixed{width: width}, o)
}

type panes struct{}

const (
	panesFrom  = 860
	sheetShare = 0.45
)

func (panes) Layout(o []fyne.CanvasObject, size fyne.Size) {
	page, sheet := size, size
	if o[1].Visible() && size.Width >= panesFrom {
		sheet.Width = max(sheetWidth, float32(int(size.Width*sheetShare)))
		page.Width -= sheet.Width
	}
	o[0].Resize(page)
	o[1].Move(fyne.NewPos(size.Width-sheet.Width, 0))
	o[1].Resize(sheet)
}

func (panes) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

// sided puts the sidebar next to the page. In Tab order the page comes first.
type sided struct{ foot *footer }

const (
	narrowFrom    = 760
	narrowSidebar = 92
)

func (s sided) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := float32(sidebarWidth)
	if s.foot.fit(size.Width < narrowFrom); s.foot.narrow {
		width = narrowSidebar
	}
	for _, n := range append(slices.Collect(maps.Values(s.foot.w.nav)), s.foot.pause) {
		if n.narrow != s.foot.narrow {
			n.narrow = s.foot.narrow
			n.Refresh()
		}
	}
	put(o[0], width, 0, size.Width-width, size.Height)
	o[1].Resize(fyne.NewSize(width, size.Height))
}

func (sided) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(narrowSidebar+a.Width, max(a.Height, b.Height))
}

type groups struct{}

func (groups) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	n := max(1, int((size.Width+gapPage)/(leastColumn+gapPage)))
	width, ends := (size.Width+gapPage)/float32(n)-gapPage, make([]float32, n)
	for _, o := range objects {
		o.Resize(fyne.NewSize(width, o.Size().Height)) // the height of wrapped text depends on its width
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
		i := slices.Index(ends, slices.Min(ends))
		o.Move(fyne.NewPos(float32(i)*(width+gapPage), ends[i]))
		ends[i] += o.MinSize().Height + gapPage
	}
}

func (groups) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, o := range objects {
		m.Width = max(m.Width, o.MinSize().Width)
		m.Height = max(m.Height, o.Position().Y+o.MinSize().Height)
	}
	return m
}

func columns(body fyne.CanvasObject) fyne.CanvasObject {
	return pad(0, -gapGroup, 0, -gapGroup, tall(pad(gapSmall, gapPage, 0, gapGroup, body)))
}

func centred(o fyne.CanvasObject) *fyne.Container {
	return column(0, layout.NewSpacer(), o, layout.NewSpacer())
}

func pad(top, bottom, left, rightPad float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(top, bottom, left, rightPad), o)
}

func row(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(gapSmall), objects...)
}

func column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(gap), objects...)
}

func frame(title string, action fyne.CanvasObject, content fyne.CanvasObject) fyne.CanvasObject {
	top := column(gapSmall, headLine(heading(title), action), widget.NewSeparator())
	return pad(gapGroup, gapGroup, gapPage, gapPage, below(gapSmall, top, content))
}

func headLine(title *text, action fyne.CanvasObject) fyne.CanvasObject {
	if action != nil {
		action = centred(action)
	}
	return container.New(fixed{height: 36}, container.NewBorder(nil, nil, nil, action, centred(title)))
}

// below puts top above content, which gets the remaining space. top comes first in Tab order.
func below(gap float32, top, content fyne.CanvasObject) fyne.CanvasObject {
	head := pad(0, gap-4, 0, 0, top) // the border layout adds 4
	return container.New(layout.NewBorderLayout(head, nil, nil, nil), head, content)
}

func flush(b *button) *fyne.Container { return pad(0, 0, -gapSmall, 0, row(b)) }

// relayout repeats the layout after objects were shown or hidden, in two passes, because the height of wrapped text
// depends on its width.
func (w *Window) relayout() {
	if w.win.Content() == nil {
		return // the window is under construction
	}
	w.win.Content().Refresh()
	w.win.Content().Refresh()
}

// scroll is a Fyne scroll container that moves three lines per notch of the wheel.
type scroll struct{ container.Scroll }

// wheelPace returns the factor for scroll distances. macOS already reports pixels.
func wheelPace() float32 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 3
}

func newScroll(o fyne.CanvasObject, way container.ScrollDirection) *scroll {
	s := &scroll{container.Scroll{Content: o, Direction: way}}
	s.ExtendBaseWidget(s)
	return s
}

func tall(o fyne.CanvasObject) *scroll { return newScroll(o, container.ScrollVerticalOnly) }

func (s *scroll) Scrolled(e *fyne.ScrollEvent) {
	faster := *e
	faster.Scrolled.DX, faster.Scrolled.DY = e.Scrolled.DX*wheelPace(), e.Scrolled.DY*wheelPace()
	s.Scroll.Scrolled(&faster)
}

type footer struct {
	w     *Window
	icon  *widget.Icon
	line  string
	state *paragraph
	place *fyne.Container
	pause *button
	box   fyne.CanvasObject

	narrow bool
}

func newFooter(w *Window) *footer {
	f := &footer{w: w, icon: widget.NewIcon(marks[present.MarkGone]), state: newParagraph("", theme.ColorNameForeground)}
	f.pause = newButton("Pause", f.toggle).as(tonePage).with(theme.MediaPauseIcon())
	f.place = container.NewStack()
	f.fit(false)
	f.box = column(4, newTapArea(f.place, func() { w.Go(PageProjects, "") }), f.pause)
	return f
}

// fit puts the text next to the icon, or below it in a narrow sidebar. The text is wrapped before it is measured.
func (f *footer) fit(narrow bool) {
	if f.narrow == narrow && len(f.place.Objects) > 0 {
		return
	}
	f.narrow = narrow
	icon := container.New(fixed{16, 16}, f.icon)
	f.state.style.SizeName, f.state.style.Alignment = theme.SizeNameText, fyne.TextAlignLeading
	width := float32(sidebarWidth - 2*gapSmall - 44)
	f.place.Objects = []fyne.CanvasObject{pad(0, 0, 12, 4, container.NewBorder(nil, nil,
		pad(2, 0, 0, 8, container.NewVBox(icon)), nil, wide(width, f.state.box)))}
	if narrow {
		f.state.style.SizeName, f.state.style.Alignment = theme.SizeNameCaptionText, fyne.TextAlignCenter
		width = narrowSidebar - gapSmall - 4
		f.place.Objects = []fyne.CanvasObject{column(0, container.NewCenter(icon), wide(width, f.state.box))}
	}
	f.state.box.Resize(fyne.NewSize(width, 0))
	f.state.set(f.line)
}

func (f *footer) toggle() {
	m := wire.MethodPause
	if f.w.model.Paused {
		m = wire.MethodResume
	}
	request(f.w, m, wire.ProjectRef{}, func(_ wire.Empty, err error) {
		f.w.failed(err)
		f.w.fetch()
	})
}

func (f *footer) refresh() {
	m := &f.w.model
	o := present.OverallOf(m.Projects(), m.Questions(f.w.now()), m.Paused, m.Connected, m.Problems)
	setMark(f.icon, o.Mark)
	if o.Line != f.line {
		f.line = o.Line
		f.state.set(o.Line)
		f.w.relayout()
	}
	label, icon := present.Text("Pause"), theme.MediaPauseIcon()
	if o.Paused {
		label, icon = "Resume", theme.MediaPlayIcon()
	}
	f.pause.set(tr(label), icon)
	f.pause.Hidden = !m.Connected || len(m.Projects()) == 0 && !o.Paused
}
