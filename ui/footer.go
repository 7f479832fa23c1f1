package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type footer struct {
	w     *Window
	icon  *fynewidget.Icon
	line  string
	state *widget.Paragraph
	place *fyne.Container
	pause *widget.Button
	box   fyne.CanvasObject

	narrow bool
}

func newFooter(w *Window) *footer {
	f := &footer{w: w, icon: fynewidget.NewIcon(marks[present.MarkGone]),
		state: widget.NewParagraph("", theme.ColorNameForeground)}
	f.pause = newButton("Pause", f.toggle).As(widget.TonePage).With(theme.MediaPauseIcon())
	f.place = container.NewStack()
	f.fit(false)
	f.box = widget.Column(4, widget.NewTapArea(f.place, func() { w.Go(PageProjects, "") }), f.pause)
	return f
}

// fit puts the text next to the icon, or below it in a narrow sidebar. The text is wrapped before it is measured.
func (f *footer) fit(narrow bool) {
	if f.narrow == narrow && len(f.place.Objects) > 0 {
		return
	}
	f.narrow = narrow
	icon := container.New(widget.Sized{Width: 16, Height: 16}, f.icon)
	f.state.Style.SizeName, f.state.Style.Alignment = theme.SizeNameText, fyne.TextAlignLeading
	width := float32(sidebarWidth - 2*widget.GapSmall - 44)
	f.place.Objects = []fyne.CanvasObject{widget.Pad(0, 0, 12, 4, container.NewBorder(nil, nil,
		widget.Pad(2, 0, 0, 8, container.NewVBox(icon)), nil, widget.Wide(width, f.state.Box)))}
	if narrow {
		f.state.Style.SizeName, f.state.Style.Alignment = theme.SizeNameCaptionText, fyne.TextAlignCenter
		width = narrowSidebar - widget.GapSmall - 4
		f.place.Objects = []fyne.CanvasObject{widget.Column(0, container.NewCenter(icon), widget.Wide(width, f.state.Box))}
	}
	f.state.Box.Resize(fyne.NewSize(width, 0))
	f.state.Set(f.line)
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
		f.state.Set(o.Line)
		f.w.relayout()
	}
	label, icon := present.Text("Pause"), theme.MediaPauseIcon()
	if o.Paused {
		label, icon = "Resume", theme.MediaPlayIcon()
	}
	f.pause.Set(tr(label), icon)
	f.pause.Hidden = !m.Connected || len(m.Projects()) == 0 && !o.Paused
}
