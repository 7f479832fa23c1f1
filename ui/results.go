package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/highlight"
	"searchmcp/ui/present"
)

type resultRow struct {
	found   *present.Found
	title   present.Source // title of a heading, or "" for a gap
	count   string
	more    bool // count looks like a link
	do      func()
	lines   []sourceLine
	prose   string
	terms   highlight.Terms
	file    bool
	line    bool
	context string
	brief   bool   // one line with the place and a line of the result
	short   bool   // two lines with the place and a line of the result
	pick    func() // action of Enter, if it does not open a result
	does    present.Text
	icon    fyne.Resource
	aside   string // text at the right, such as an age, a state or keys
	key     bool   // aside is a shortcut key
}

func (r resultRow) same(x resultRow) bool {
	return r.title == x.title && r.aside == x.aside && r.icon == x.icon && (r.found == nil) == (x.found == nil) &&
		(r.found == nil || r.found.Title == x.found.Title && r.found.Where == x.found.Where)
}

func (r resultRow) result() bool { return r.found != nil && !r.file }

func (r resultRow) single() bool { return r.brief && !r.line || r.pick != nil || r.file }

const (
	headingHeight = 34
	titleHeight   = 37
	fileHeight    = 52
	contextHeight = 17
	codeHeight    = 17
	proseHeight   = 18
	rowSpace      = 8
	lineHeight    = codeHeight + 9
)

func (r resultRow) height(width float32) float32 {
	switch {
	case r.found == nil && r.title == "":
		return gapSmall
	case r.line && r.context == "":
		return lineHeight
	case r.line:
		return lineHeight + contextHeight
	case r.found == nil, r.single():
		return headingHeight
	case len(r.found.Lines) == 0:
		return fileHeight
	case r.short:
		return titleHeight + proseHeight
	}
	h, lines, line := float32(titleHeight), len(r.lines), float32(codeHeight)
	if r.found.Context != "" || r.found.Stale {
		h += contextHeight
	}
	if r.found.Prose() {
		lines, line = excerptLines, proseHeight
		small := fyne.CurrentApp().Settings().Theme().Size(theme.SizeNameCaptionText)
		if fyne.MeasureText(r.prose, small, fyne.TextStyle{}).Width < width-2*gapSmall {
			lines = 1
		}
	}
	return h + float32(lines)*line
}

type resultView struct {
	widget.BaseWidget
	heading, more    *text
	icon             *widget.Icon
	title, where     *text
	aside            *keyCap
	context          *text
	code             *listing
	prose            *excerpt
	row              resultRow
	head, body, both *fyne.Container
	place            *fyne.Container
}

func newResultView() fyne.CanvasObject {
	v := &resultView{heading: strong(""), more: caption(""), title: strong(""), where: caption(""), context: caption(""),
		code: newListing(theme.SizeNameText), prose: newExcerpt(theme.SizeNameCaptionText, excerptLines)}
	v.more.align = fyne.TextAlignTrailing
	v.icon, v.aside = widget.NewIcon(nil), newKeyCap("")
	v.head = container.New(beside{}, v.heading, v.more)
	v.place = container.New(beside{}, v.title, v.where)
	v.body = container.New(resultLayout{v}, v.place, v.context, v.code, v.prose, v.icon, v.aside)
	v.both = container.NewStack(pad(6, 0, gapSmall, gapSmall, v.head), v.body)
	v.ExtendBaseWidget(v)
	return v
}

func (v *resultView) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(v.both) }

type resultLayout struct{ v *resultView }

const (
	briefPlace  = 0.45
	asideShare  = 0.65 // greatest share of aside
	pictureSize = 18
)

func (x resultLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(rowSpace)
	width := max(0, size.Width-2*gapSmall)
	if x.v.row.line {
		y = 4
	}
	if r := x.v.row; r.single() {
		left, end := float32(gapSmall), size.Width-gapGroup
		put := func(o fyne.CanvasObject, at, room, h float32) {
			put(o, at, (size.Height-h)/2, max(0, room), h)
		}
		if r.icon != nil {
			put(x.v.icon, left, pictureSize, pictureSize)
			left += pictureSize + gapSmall + 4
		}
		if aside := x.v.aside.MinSize(); r.aside != "" {
			aside.Width = min(aside.Width, (end-left)*asideShare)
			end -= aside.Width
			put(x.v.aside, end, aside.Width, aside.Height)
			end -= gapGroup
		}
		room := end - left
		if r.brief && r.pick == nil && !r.file {
			room = width*briefPlace - left
			put(x.v.code, left+room+gapGroup, end-left-room-gapGroup, proseHeight)
			put(x.v.prose, left+room+gapGroup, end-left-room-gapGroup, proseHeight)
		}
		put(x.v.place, left, room, x.v.place.MinSize().Height)
		return
	}
	for i, o := range objects[:4] {
		if !o.Visible() {
			continue
		}
		h := o.MinSize().Height
		if i >= 2 {
			h = max(0, size.Height-y-rowSpace)
			y += 2
			if x.v.row.line {
				h = codeHeight
			}
		}
		put(o, gapSmall, y, width, h)
		y += h
	}
}

func (resultLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, fileHeight) }

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
	if v.title.keep = 0; f.Hit != nil && f.Best > 0 {
		v.title.keep = len(f.Title) - strings.LastIndexByte(f.Title, ':')
	}
	v.title.set(f.Title)
	v.title.style.Bold = r.pick == nil || f.Where != ""
	v.title.Refresh()
	v.where.set(f.Where)
	one := r.single()
	v.place.Hidden = r.line
	if v.icon.Hidden = !one || r.icon == nil; !v.icon.Hidden {
		v.icon.SetResource(r.icon)
	}
	v.aside.Hidden = r.aside == ""
	v.aside.set(r.aside, r.key)
	second := f.Context
	if r.line {
		second = r.context
	}
	if f.Stale {
		second = present.Join(second, tr("changed since it was indexed"))
	}
	v.context.set(second)
	v.context.Hidden = second == "" && len(f.Lines) > 0 || one || r.short && !r.line
	v.code.Hidden, v.prose.Hidden = f.Prose(), !f.Prose()
	if f.Prose() {
		v.prose.most = excerptLines
		if r.brief || r.short {
			v.prose.most = 1
		}
		v.prose.set(r.prose, r.terms)
	} else {
		v.code.set(r.lines, true)
	}
	v.both.Refresh()
}
