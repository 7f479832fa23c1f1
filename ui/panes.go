package ui

import (
	"maps"
	"slices"

	"fyne.io/fyne/v2"

	"searchmcp/ui/widget"
)

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
		if n.Narrow != s.foot.narrow {
			n.Narrow = s.foot.narrow
			n.Refresh()
		}
	}
	widget.Place(o[0], width, 0, size.Width-width, size.Height)
	o[1].Resize(fyne.NewSize(width, size.Height))
}

func (sided) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(narrowSidebar+a.Width, max(a.Height, b.Height))
}

// relayout repeats the layout after objects were shown or hidden, in two passes, because the height of wrapped text
// depends on its width.
func (w *Window) relayout() {
	if w.win.Content() == nil {
		return // the window is under construction
	}
	w.win.Content().Refresh()
	w.win.Content().Refresh()
}

// The gaps inside rows, between groups and around a page, on a grid of 4 pixels.
const (
	sidebarWidth = 176
	sheetWidth   = 416
)
