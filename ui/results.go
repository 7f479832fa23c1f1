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
	pick  func() // what Enter does in place of opening it: a question of before, a project, an action
}

// The heights of rows.
const (
	headingHeight = 34
	resultHeight  = 94
	briefHeight   = 72 // of a result with one line
	fileHeight    = 48 // of a result without lines
)

func (r resultRow) height() float32 {
	switch {
	case r.found == nil, r.pick != nil:
		return headingHeight
	case len(r.found.Lines) == 0:
		return fileHeight
	case len(r.lines) == 1:
		return briefHeight
	}
	return resultHeight
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
}

func newResultView() fyne.CanvasObject {
	v := &resultView{heading: strong(""), more: caption(""), title: strong(""), where: caption(""), context: caption(""),
		code: newListing(theme.SizeNameText), prose: newExcerpt(theme.SizeNameCaptionText, excerptLines)}
	v.more.align = fyne.TextAlignTrailing
	v.head = container.New(beside{}, v.heading, v.more)
	v.body = container.New(resultLayout{}, container.New(beside{}, v.title, v.where), v.context, v.code, v.prose)
	v.both = container.NewStack(pad(6, 0, gapSmall, gapSmall, v.head), v.body)
	v.ExtendBaseWidget(v)
	return v
}

// CreateRenderer implements fyne.Widget.
func (v *resultView) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(v.both) }

// resultLayout puts a result's lines below each other: title and folder, what it stands in, two lines of it.
type resultLayout struct{}

func (resultLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(6)
	width := max(0, size.Width-2*gapSmall)
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
	v.context.Hidden = second == "" && len(f.Lines) > 0
	v.code.Hidden, v.prose.Hidden = f.Prose(), !f.Prose()
	if f.Prose() {
		v.prose.set(r.prose, r.terms)
	} else {
		v.code.set(r.lines, true)
	}
	v.both.Refresh()
}
