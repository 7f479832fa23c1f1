package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/ui/present"
)

type footer struct {
	w     *Window
	icon  *widget.Icon
	line  string
	state *paragraph
	place *fyne.Container // icon and state
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
