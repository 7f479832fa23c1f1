package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"searchmcp/packaging/command"
)

// samples is the number of points per pixel and axis; 4 leaves no visible steps at edges.
const samples = 4

// picture returns the colour of a point, coordinates in [0,1) from the top left.
type picture func(x, y float64) color.NRGBA

// roundedBox is the signed distance of a point to a box of half width w and half height h around the origin.
func roundedBox(x, y, w, h, r float64) float64 {
	dx, dy := math.Abs(x)-w+r, math.Abs(y)-h+r
	return math.Min(math.Max(dx, dy), 0) + math.Hypot(math.Max(dx, 0), math.Max(dy, 0)) - r
}

// segment is the distance of a point to the line between two others.
func segment(x, y, ax, ay, bx, by float64) float64 {
	t := ((x-ax)*(bx-ax) + (y-ay)*(by-ay)) / ((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
	t = math.Max(0, math.Min(1, t))
	return math.Hypot(x-ax-t*(bx-ax), y-ay-t*(by-ay))
}

// draw draws a picture with an edge of size pixels.
func draw(size int, at picture) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			var r, g, b, a float64 // colour weighted by coverage
			for sy := range samples {
				for sx := range samples {
					c := at((float64(px)+(float64(sx)+0.5)/samples)/float64(size), (float64(py)+(float64(sy)+0.5)/samples)/float64(size))
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

// encode draws a picture as PNG.
func encode(size int, at picture) ([]byte, error) {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, draw(size, at)); err != nil {
		return nil, fmt.Errorf("encode icon: %w", err)
	}
	return b.Bytes(), nil
}

func write(path string, size int, at picture) error {
	data, err := encode(size, at)
	if err != nil {
		return err
	}
	return command.Write(path, data)
}
