package ui

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// scroll is Fyne's with a wheel at the pace of other programs: one notch is three lines, where Fyne's is one.
type scroll struct{ container.Scroll }

// wheelPace is how much faster than Fyne's it is. macOS counts in pixels itself.
func wheelPace() float32 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 3
}

func newScroll(o fyne.CanvasObject, way container.ScrollDirection) *scroll {
	s := &scroll{container.Scroll{Content: o, Direction: way}}
	s.ExtendBaseWidget(s)
	return s
}

// tall scrolls up and down.
func tall(o fyne.CanvasObject) *scroll { return newScroll(o, container.ScrollVerticalOnly) }

// Scrolled implements fyne.Scrollable.
func (s *scroll) Scrolled(e *fyne.ScrollEvent) {
	faster := *e
	faster.Scrolled.DX, faster.Scrolled.DY = e.Scrolled.DX*wheelPace(), e.Scrolled.DY*wheelPace()
	s.Scroll.Scrolled(&faster)
}
