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
	pause *button
	box   fyne.CanvasObject

	narrow bool
}

func newFooter(w *Window) *footer {
	f := &footer{w: w, icon: widget.NewIcon(marks[present.MarkGone]), state: newParagraph("", theme.ColorNameForeground)}
	f.pause = newButton("Pause", f.toggle).as(tonePage).with(theme.MediaPauseIcon())
	icon := pad(2, 0, 0, 12, container.NewVBox(container.New(fixed{16, 16}, f.icon)))
	line := container.New(stateLine{f}, icon, f.state.box)
	f.box = column(4, newTapArea(pad(0, 0, footAside, 4, line), func() { w.Go(PageProjects, "") }), f.pause)
	return f
}

func (f *footer) fit(narrow bool) {
	if f.narrow == narrow {
		return
	}
	f.narrow = narrow
	f.state.style.SizeName, f.state.style.Alignment = theme.SizeNameText, fyne.TextAlignLeading
	if narrow {
		f.state.style.SizeName, f.state.style.Alignment = theme.SizeNameCaptionText, fyne.TextAlignCenter
	}
	f.state.set(f.line)
}

// stateLine puts wrapped text next to an icon, or below it in a narrow sidebar. It measures the text at the sidebar's
// width.
type stateLine struct{ f *footer }

const footAside = 12

func (x stateLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	mark := objects[0].MinSize()
	objects[0].Resize(mark)
	objects[1].Resize(fyne.NewSize(x.width(mark), size.Height))
	if x.f.narrow {
		objects[0].Move(fyne.NewPos((size.Width-gapSmall-16)/2, 0))
		objects[1].Move(fyne.NewPos(gapSmall/4-footAside, mark.Height))
		return
	}
	objects[0].Move(fyne.NewPos(0, 0))
	objects[1].Move(fyne.NewPos(mark.Width, 0))
}

func (x stateLine) width(mark fyne.Size) float32 {
	if x.f.narrow {
		return narrowSidebar - footAside
	}
	return sidebarWidth - 2*gapSmall - 16 - mark.Width
}

func (x stateLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	mark := objects[0].MinSize()
	if width := x.width(mark); objects[1].Size().Width != width {
		objects[1].Resize(fyne.NewSize(width, objects[1].Size().Height))
	}
	text := objects[1].MinSize().Height
	if x.f.narrow {
		return fyne.NewSize(16, mark.Height+text)
	}
	return fyne.NewSize(16, max(mark.Height, text))
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
