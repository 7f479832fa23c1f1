package main

import (
	"image/color"
	"math"
	"path/filepath"
)

// traySize is the edge of the tray's icons in pixels: panels scale down to 16 and up to 48.
const traySize = 48

// The colours have a contrast of at least 3:1 on white and on #202020, the panels' extremes (WCAG 2.2, graphics).
var (
	grey  = color.NRGBA{R: 0x7f, G: 0x88, B: 0x96, A: 0xff}
	blue  = color.NRGBA{R: 0x3f, G: 0x83, B: 0xf8, A: 0xff}
	amber = color.NRGBA{R: 0xc9, G: 0x7a, B: 0x00, A: 0xff}
	red   = color.NRGBA{R: 0xe5, G: 0x48, B: 0x4d, A: 0xff}
)

// The glass, in units of the edge. The lens takes all the room there is, so that its sign is legible at 16 pixels.
const (
	lensX, lensY, lensR = 0.42, 0.42, 0.335
	pen                 = 0.125 // two pixels at 16
)

// state is one of the tray's: the glass's colour and the sign in the lens, which tells it apart by shape as well as by colour.
type state struct {
	name  string
	glass color.NRGBA
	tint  color.NRGBA
	sign  func(x, y float64) bool // around the lens's centre
}

var states = []state{
	{"ready", grey, grey, func(x, y float64) bool { return math.Hypot(x, y) < 0.115 }},
	{"indexing", grey, blue, func(x, y float64) bool {
		d := math.Hypot(x, y)
		return d < 0.2 && (d > 0.085 || d < 0.03) && !(x < 0 && y > 0) // three quarters of a ring
	}},
	{"paused", grey, grey, func(x, y float64) bool { ax := math.Abs(x); return ax > 0.035 && ax < 0.125 && math.Abs(y) < 0.15 }},
	{"needs", amber, amber, func(x, y float64) bool {
		return (math.Abs(x) < 0.062 && y > -0.18 && y < 0.045) || (math.Abs(x) < 0.062 && y > 0.09 && y < 0.2)
	}},
	{"problem", red, red, func(x, y float64) bool {
		u, v := math.Abs(x+y)/math.Sqrt2, math.Abs(x-y)/math.Sqrt2
		return (u < 0.055 && v < 0.2) || (v < 0.055 && u < 0.2)
	}},
}

// at returns the colour of a point, coordinates in [0,1) from the top left.
func (s state) at(x, y float64) color.NRGBA {
	d := math.Hypot(x-lensX, y-lensY)
	if math.Abs(d-lensR) < pen/2 || segment(x, y, 0.68, 0.68, 0.9, 0.9) < pen/2+0.01 {
		return s.glass
	}
	if d < lensR && s.sign(x-lensX, y-lensY) {
		return s.tint
	}
	return color.NRGBA{}
}

// writeTray writes an icon of each state into a folder.
func writeTray(folder string) error {
	for _, s := range states {
		if err := write(filepath.Join(folder, "tray-"+s.name+".png"), traySize, s.at); err != nil {
			return err
		}
	}
	return nil
}
