package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type part struct {
	key, title string
	row        fyne.CanvasObject
	step       *widget.Button // shown on the row unless it is chosen; may be nil
	body       func() fyne.CanvasObject
	buttons    func() []fyne.CanvasObject
}

type parts struct {
	w      *Window
	page   Page
	all    []part
	list   *widget.List
	chosen string // key of the last chosen row
	wrong  *fyne.Container
	root   fyne.CanvasObject
}

func newParts(w *Window, page Page) *parts {
	p := &parts{w: w, page: page, wrong: container.NewStack()}
	p.list = widget.NewList(rowHeight, func() int { return len(p.all) },
		func() fyne.CanvasObject { return container.NewStack() },
		func(i int, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects = []fyne.CanvasObject{p.all[i].row}
			if b := p.all[i].step; b != nil {
				b.Hidden = i == p.list.At // the sheet has the same button
			}
			o.Refresh()
		})
	p.list.Height = func(i int) float32 { // wrapping depends on the width
		r, width := p.all[i].row, p.list.Width()
		r.Resize(fyne.NewSize(width, r.Size().Height))
		least := float32(rowHeight)
		if p.all[i].key == "" {
			least = headingHeight
		}
		r.Resize(fyne.NewSize(width, max(least, r.MinSize().Height)))
		return r.Size().Height
	}
	p.list.Stops = func(i int) bool { return p.all[i].key != "" }
	p.list.Moved = p.show
	p.root = container.NewStack(widget.Pad(0, -widget.GapGroup, 0, 0, p.list.InMargin()),
		p.wrong) // no margin at the bottom
	return p
}

func partHead(title present.Text) part {
	return part{row: widget.Pad(widget.GapSmall, 0, widget.GapSmall, 0,
		container.New(widget.Sized{Height: 22}, widget.Strong(tr(title))))}
}

func (p *parts) say(o fyne.CanvasObject) {
	p.wrong.Objects = []fyne.CanvasObject{widget.Column(0, widget.Pad(widget.GapGroup, 0, 0, 0, o))}
	p.wrong.Refresh()
}

func (p *parts) fail(err error, again func()) {
	p.set(nil)
	p.say(p.w.problemBox(present.ProblemOf(err), again))
}

func (p *parts) show(i int) {
	x := p.all[i]
	p.chosen = x.key
	s := &sheet{title: x.title, body: x.body(), still: true, from: p.list, row: i}
	if x.buttons != nil {
		s.buttons = x.buttons()
	}
	p.w.open(s)
}

func (p *parts) open(key string) {
	if i := slices.IndexFunc(p.all, func(x part) bool { return x.key == key }); i >= 0 {
		p.list.Choose(i)
	}
}

// set replaces the rows and their open sheet. If no sheet is open and the window is wide, set opens the sheet of the
// first row.
func (p *parts) set(all []part) {
	p.all, p.wrong.Objects = all, nil
	p.list.Refresh()
	s := p.w.sheet
	ours := s != nil && s.from == p.list
	if !ours && (s != nil || p.w.current != p.page || !p.w.offers()) {
		return
	}
	i := slices.IndexFunc(all, func(x part) bool { return x.key != "" && x.key == p.chosen })
	if i < 0 {
		i = slices.IndexFunc(all, func(x part) bool { return x.key != "" })
	}
	if i < 0 {
		return
	}
	p.show(i)
	if ours {
		p.w.sheet.scroll.ScrollToOffset(s.scroll.Offset)
	}
}

// offers reports whether a page may open a sheet automatically. The window must be wide, and the user must not have
// closed a sheet of this page.
func (w *Window) offers() bool { return w.roomy() && w.dismissed != w.current }

func (w *Window) roomy() bool { return w.panes.Size().Width >= panesFrom }
