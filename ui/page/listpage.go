package page

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
	step       *widget.Button
	body       func() fyne.CanvasObject
	buttons    func() []fyne.CanvasObject
}

type parts struct {
	w      *Window
	page   Page
	all    []part
	List   *widget.List
	chosen string
	wrong  *fyne.Container
	root   fyne.CanvasObject
}

func newParts(w *Window, page Page) *parts {
	p := &parts{w: w, page: page, wrong: container.NewStack()}
	p.List = widget.NewList(rowHeight, func() int { return len(p.all) },
		func() fyne.CanvasObject { return container.NewStack() },
		func(i int, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects = []fyne.CanvasObject{p.all[i].row}
			if b := p.all[i].step; b != nil {
				b.Hidden = i == p.List.At // the sheet has the same button
			}
			o.Refresh()
		})
	p.List.Height = func(i int) float32 { // wrapping depends on the width
		r, width := p.all[i].row, p.List.Width()
		r.Resize(fyne.NewSize(width, r.Size().Height))
		least := float32(rowHeight)
		if p.all[i].key == "" {
			least = HeadingHeight
		}
		r.Resize(fyne.NewSize(width, max(least, r.MinSize().Height)))
		return r.Size().Height
	}
	p.List.Stops = func(i int) bool { return p.all[i].key != "" }
	p.List.Moved = p.show
	p.root = container.NewStack(widget.Pad(0, -widget.GapGroup, 0, 0, p.List.InMargin()),
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
	p.say(p.w.ProblemBox(present.ProblemOf(err), again))
}

func (p *parts) show(i int) {
	x := p.all[i]
	p.chosen = x.key
	s := &Sheet{Title: x.title, Body: x.body(), still: true, From: p.List, Row: i}
	if x.buttons != nil {
		s.Buttons = x.buttons()
	}
	p.w.Open(s)
}

func (p *parts) Open(key string) {
	if i := slices.IndexFunc(p.all, func(x part) bool { return x.key == key }); i >= 0 {
		p.List.Choose(i)
	}
}

// set replaces the rows and their open sheet. In a wide window without a sheet, it opens the sheet of the first row.
func (p *parts) set(all []part) {
	p.all, p.wrong.Objects = all, nil
	p.List.Refresh()
	s := p.w.Sheet
	ours := s != nil && s.From == p.List
	if !ours && (s != nil || p.w.Current != p.page || !p.w.offers()) {
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
		p.w.Sheet.Scroll.ScrollToOffset(s.Scroll.Offset)
	}
}

// offers reports whether a page may open a sheet automatically: in a wide window, unless the user has closed a sheet of
// this page.
func (w *Window) offers() bool { return w.roomy() && w.dismissed != w.Current }

func (w *Window) roomy() bool { return w.Panes.Size().Width >= panesFrom }
