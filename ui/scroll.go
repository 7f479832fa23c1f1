package ui

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// scroll is a Fyne scroll container that moves three lines per notch of the wheel.
type scroll struct{ container.Scroll }

// wheelPace returns the factor for scroll distances. macOS already reports pixels.
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

func tall(o fyne.CanvasObject) *scroll { return newScroll(o, container.ScrollVerticalOnly) }

func (s *scroll) Scrolled(e *fyne.ScrollEvent) {
	faster := *e
	faster.Scrolled.DX, faster.Scrolled.DY = e.Scrolled.DX*wheelPace(), e.Scrolled.DY*wheelPace()
	s.Scroll.Scrolled(&faster)
}
