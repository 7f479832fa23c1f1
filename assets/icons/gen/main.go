// Command gen draws the icons of the tray: a magnifying glass whose lens shows one of five states, told apart by shape as
// well as by colour. It knows nobody and starts no goroutine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
)

const (
	size    = 48 // edge in pixels: panels scale down to 16 and up to 48
	samples = 4  // points per pixel and axis
)

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

// icon is a state: the glass's colour and the sign in the lens.
type icon struct {
	name  string
	glass color.NRGBA
	tint  color.NRGBA
	sign  func(x, y float64) bool // around the lens's centre
}

var icons = []icon{
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
func (i icon) at(x, y float64) color.NRGBA {
	d := math.Hypot(x-lensX, y-lensY)
	if math.Abs(d-lensR) < pen/2 || segment(x, y, 0.68, 0.68, 0.9, 0.9) < pen/2+0.01 {
		return i.glass
	}
	if d < lensR && i.sign(x-lensX, y-lensY) {
		return i.tint
	}
	return color.NRGBA{}
}

// segment is the distance of a point to the line between two others.
func segment(x, y, ax, ay, bx, by float64) float64 {
	t := ((x-ax)*(bx-ax) + (y-ay)*(by-ay)) / ((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
	t = math.Max(0, math.Min(1, t))
	return math.Hypot(x-ax-t*(bx-ax), y-ay-t*(by-ay))
}

func (i icon) draw() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			var r, g, b, a float64 // colour weighted by coverage
			for sy := range samples {
				for sx := range samples {
					c := i.at((float64(px)+(float64(sx)+0.5)/samples)/size, (float64(py)+(float64(sy)+0.5)/samples)/size)
					r, g, b, a = r+float64(c.R)*float64(c.A), g+float64(c.G)*float64(c.A), b+float64(c.B)*float64(c.A), a+float64(c.A)
				}
			}
			if a > 0 {
				img.SetNRGBA(px, py, color.NRGBA{R: uint8(r / a), G: uint8(g / a), B: uint8(b / a), A: uint8(a / (samples * samples))})
			}
		}
	}
	return img
}

func main() {
	dir := flag.String("o", "assets/icons", "folder to write to")
	flag.Parse()
	for _, i := range icons {
		if err := write(filepath.Join(*dir, "tray-"+i.name+".png"), i.draw()); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}

func write(path string, img image.Image) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".icon-*")
	if err != nil {
		return fmt.Errorf("create icon: %w", err)
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left to remove
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, img)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("write icon: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("place icon: %w", err)
	}
	return nil
}
