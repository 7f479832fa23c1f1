package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/highlight"
	"searchmcp/ui/present"
)

// resultRow is a row of the results: a result, or the heading of a source's.
type resultRow struct {
	found *present.Found
	title present.Source // of a heading
	count string         // behind it
	more  bool           // it shows the rest of them
	lines []sourceLine   // of the result, coloured
	prose string
	terms highlight.Terms
	brief bool         // one line of it, in one row with where it is
	pick  func()       // what Enter does in place of opening it: a question of before, a project, an action
	does  present.Text // pick in words
}

// The heights of rows: of headings and what has one line, of a result's title and the space around it, of a result
// without lines, and of each line below the title.
const (
	headingHeight = 34
	titleHeight   = 36
	fileHeight    = 48
	contextHeight = 17
	lineHeight    = 20
)

// height is that of the row at a width.
func (r resultRow) height(width float32) float32 {
	switch {
	case r.found == nil, r.pick != nil, r.brief:
		return headingHeight
	case len(r.found.Lines) == 0:
		return fileHeight
	}
	h, lines := float32(titleHeight), len(r.lines)
	if r.found.Context != "" || r.found.Stale {
		h += contextHeight
	}
	if r.found.Prose() {
		lines = excerptLines
		small := fyne.CurrentApp().Settings().Theme().Size(theme.SizeNameCaptionText)
		if fyne.MeasureText(r.prose, small, fyne.TextStyle{}).Width < width-2*gapSmall {
			lines = 1
		}
	}
	return h + float32(lines)*lineHeight
}

// resultView draws a row of either kind.
type resultView struct {
	widget.BaseWidget
	heading, more    *text
	title, where     *text
	context          *text
	code             *listing
	prose            *excerpt
	row              resultRow
	head, body, both *fyne.Container
	place            *fyne.Container // title and where
}

func newResultView() fyne.CanvasObject {
	v := &resultView{heading: strong(""), more: caption(""), title: strong(""), where: caption(""), context: caption(""),
		code: newListing(theme.SizeNameText), prose: newExcerpt(theme.SizeNameCaptionText, excerptLines)}
	v.more.align = fyne.TextAlignTrailing
	v.head = container.New(beside{}, v.heading, v.more)
	v.place = container.New(beside{}, v.title, v.where)
	v.body = container.New(resultLayout{v}, v.place, v.context, v.code, v.prose)
	v.both = container.NewStack(pad(6, 0, gapSmall, gapSmall, v.head), v.body)
	v.ExtendBaseWidget(v)
	return v
}

// CreateRenderer implements fyne.Widget.
func (v *resultView) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(v.both) }

// resultLayout puts a result's lines below each other: title and folder, what it stands in, two lines of it. A brief
// one's line stands behind its place.
type resultLayout struct{ v *resultView }

// briefPlace is what of a row the place of a brief result takes.
const briefPlace = 0.45

func (x resultLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(6)
	width := max(0, size.Width-2*gapSmall)
	if x.v.row.brief {
		left := float32(gapSmall)
		for i, o := range objects {
			if i != 1 && o.Visible() {
				h, room := o.MinSize().Height, width*briefPlace-gapGroup
				if i > 1 {
					h, room = lineHeight, width*(1-briefPlace)
				}
				o.Resize(fyne.NewSize(room, h))
				o.Move(fyne.NewPos(left, (size.Height-h)/2))
				left += room + gapGroup
			}
		}
		return
	}
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		h := o.MinSize().Height
		if i >= 2 {
			h = max(0, size.Height-y-6)
			y += 2
		}
		o.Move(fyne.NewPos(gapSmall, y))
		o.Resize(fyne.NewSize(width, h))
		y += h
	}
}

func (resultLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, fileHeight) }

// set shows a row.
func (v *resultView) set(r resultRow) {
	v.row = r
	heading := r.found == nil
	v.head.Hidden, v.body.Hidden = !heading, heading
	if heading {
		v.heading.set(tr(r.title))
		v.more.set(r.count)
		v.more.setColor(colorMuted)
		if r.more {
			v.more.setColor(theme.ColorNamePrimary)
		}
		v.both.Refresh()
		return
	}
	f := r.found
	v.title.set(f.Title)
	v.where.set(f.Where)
	second := f.Context
	if f.Stale {
		second = present.Join(second, tr("changed since it was indexed"))
	}
	v.context.set(second)
	v.context.Hidden = second == "" && len(f.Lines) > 0 || r.brief
	v.code.Hidden, v.prose.Hidden = f.Prose(), !f.Prose()
	if f.Prose() {
		v.prose.most = excerptLines
		if r.brief {
			v.prose.most = 1
		}
		v.prose.set(r.prose, r.terms)
	} else {
		v.code.set(r.lines, true)
	}
	v.both.Refresh()
}
