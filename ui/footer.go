package ui

import (
	"maps"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/ui/page"
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
	f := &footer{w: w, icon: fynewidget.NewIcon(page.Marks[present.MarkGone]),
		state: widget.NewParagraph("", theme.ColorNameForeground)}
	f.pause = page.NewButton("Pause", f.toggle).As(widget.TonePage).With(theme.MediaPauseIcon())
	f.place = container.NewStack()
	f.fit(false)
	f.box = widget.Column(4, widget.NewTapArea(f.place, func() { w.Go(page.PageProjects, "") }), f.pause)
	return f
}

// fit puts the text next to the icon, or below it in a narrow sidebar, where it wraps the text.
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
	if f.w.Model.Paused {
		m = wire.MethodResume
	}
	f.w.Opening++ // the program may run only for the palette
	page.Request(f.w.Window, m, wire.ProjectRef{}, func(_ wire.Empty, err error) {
		f.w.Failed(err)
		f.w.Fetch()
		f.w.Opened()
	})
}

func (f *footer) refresh() {
	m := &f.w.Model
	mark, line := m.Overall(f.w.Now())
	page.SetMark(f.icon, mark)
	if line != f.line {
		f.line = line
		f.state.Set(line)
		f.w.Relayout()
	}
	label, icon := present.Text("Pause"), theme.MediaPauseIcon()
	if m.Paused {
		label, icon = "Resume", theme.MediaPlayIcon()
	}
	f.pause.Set(present.T(label), icon)
	f.pause.Hidden = !m.Connected || len(m.Projects()) == 0 && !m.Paused
}

const (
	sidebarWidth  = 176
	narrowFrom    = 760
	narrowSidebar = 92
)

// sided puts the sidebar next to the page, which comes first in Tab order.
func (w *Window) sided(page, side fyne.CanvasObject) fyne.CanvasObject {
	least := func() fyne.Size {
		a, b := page.MinSize(), side.MinSize()
		return fyne.NewSize(narrowSidebar+a.Width, max(a.Height, b.Height))
	}
	return container.New(widget.Layout{Min: least, Do: func(size fyne.Size) {
		width := float32(sidebarWidth)
		if w.foot.fit(size.Width < narrowFrom); w.foot.narrow {
			width = narrowSidebar
		}
		for _, n := range append(slices.Collect(maps.Values(w.nav)), w.foot.pause) {
			if n.Narrow != w.foot.narrow {
				n.Narrow = w.foot.narrow
				n.Refresh()
			}
		}
		widget.Place(page, width, 0, size.Width-width, size.Height)
		side.Resize(fyne.NewSize(width, size.Height))
	}}, page, side)
}
