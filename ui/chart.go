package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/present"
)

const (
	chartHeight = 36
	chartWidth  = 180
	chartGap    = 3
)

func chart(counts []int) fyne.CanvasObject {
	var bars []fyne.CanvasObject
	for i, n := range counts {
		c := colorTrack
		switch {
		case n > 0 && i == len(counts)-1:
			c = theme.ColorNamePrimary
		case n > 0:
			c = theme.ColorNameInputBorder
		}
		bars = append(bars, newFill(c, 2))
	}
	return container.New(chartLayout(counts), bars...)
}

type chartLayout []int

func (x chartLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	most := 1
	for _, n := range x {
		most = max(most, n)
	}
	width := (size.Width+chartGap)/float32(len(x)) - chartGap
	for i, n := range x {
		h := max(2, size.Height*float32(n)/float32(most))
		put(o[i], float32(i)*(width+chartGap), size.Height-h, width, h)
	}
}

func (chartLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(chartWidth, chartHeight)
}

func (w *Window) usedProject(root string) fyne.CanvasObject {
	counts := present.Searches(w.model.Usage, root, w.now())
	said := caption(present.UsedProject(counts))
	if slices.Max(counts) == 0 {
		return section("Searches", said)
	}
	return section("Searches", chart(counts), said)
}
