// Command icon draws the application's icon: a magnifying glass over three lines of text, one of them found. It knows
// nobody and starts no goroutine.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// largest is the icon's edge in pixels where there is one file only: the largest that the desktops' icon formats ask for
// without scaling up a second time.
const largest = 512

// sizes are those that desktops and Windows ask for: lists and panels (16 to 32), menus and taskbars (48 to 128), overviews
// (256, 512). Each is drawn, not scaled.
var sizes = []int{16, 22, 24, 32, 48, 64, 128, 256, largest}

// samples is the number of points per pixel and axis; 4 leaves no visible steps at edges.
const samples = 4

func main() {
	out := flag.String("o", "assets/icons/app.png", "file to write")
	theme := flag.String("theme", "", "folder of an icon theme (freedesktop.org's) to write every size to instead, as <size>x<size>/apps/<name>.png")
	ico := flag.String("ico", "", "file to write every size up to 256 to instead, as an icon of Windows")
	name := flag.String("name", "io.searchmcp.app", "with -theme: the icon's name")
	flag.Parse()
	if *ico != "" {
		if err := writeICO(*ico); err != nil {
			fmt.Fprintln(os.Stderr, "icon:", err)
			os.Exit(1)
		}
		return
	}
	files := map[string]int{*out: largest}
	if *theme != "" {
		clear(files)
		for _, size := range sizes {
			files[filepath.Join(*theme, fmt.Sprintf("%dx%d", size, size), "apps", *name+".png")] = size
		}
	}
	for path, size := range files {
		if err := write(path, size); err != nil {
			fmt.Fprintln(os.Stderr, "icon:", err)
			os.Exit(1)
		}
	}
}

var (
	background = color.NRGBA{R: 0x1f, G: 0x3a, B: 0x5f, A: 0xff}
	text       = color.NRGBA{R: 0x7d, G: 0x9c, B: 0xc4, A: 0xff}
	found      = color.NRGBA{R: 0xff, G: 0xc1, B: 0x4d, A: 0xff}
	glass      = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

// at returns the colour of a point, coordinates in [0,1) from the top left.
func at(x, y float64) color.NRGBA {
	if roundedBox(x-0.5, y-0.5, 0.46, 0.46, 0.11) > 0 {
		return color.NRGBA{}
	}
	const cx, cy, radius, ring = 0.45, 0.45, 0.225, 0.055
	d := math.Hypot(x-cx, y-cy)
	if math.Abs(d-radius) < ring/2 || segment(x, y, 0.63, 0.63, 0.775, 0.775) < 0.048 {
		return glass
	}
	for i, line := range []struct{ y, from, to float64 }{{0.37, 0.36, 0.56}, {0.45, 0.33, 0.57}, {0.53, 0.36, 0.51}} {
		if d < radius && segment(x, y, line.from, line.y, line.to, line.y) < 0.021 {
			if i == 1 {
				return found
			}
			return text
		}
	}
	return background
}

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

func draw(size int) *image.NRGBA {
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

// encode draws the icon as PNG.
func encode(size int) ([]byte, error) {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, draw(size)); err != nil {
		return nil, fmt.Errorf("encode icon: %w", err)
	}
	return b.Bytes(), nil
}

func write(path string, size int) error {
	data, err := encode(size)
	if err != nil {
		return err
	}
	return place(path, data)
}

// writeICO writes an ICO file: a header, an entry of 16 bytes for each picture, the pictures as PNG (since Windows Vista).
func writeICO(path string) error {
	var head, body bytes.Buffer
	pictures := slices.DeleteFunc(slices.Clone(sizes), func(size int) bool { return size > 256 }) // the format knows no larger ones
	head.Write([]byte{0, 0, 1, 0, byte(len(pictures)), 0})
	for _, size := range pictures {
		data, err := encode(size)
		if err != nil {
			return err
		}
		const headerSize, entrySize = 6, 16
		head.Write([]byte{byte(size), byte(size), 0, 0, 1, 0, 32, 0}) // 256 is written as 0; no palette, one plane, 32 bits
		head.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
		head.Write(binary.LittleEndian.AppendUint32(nil, uint32(headerSize+entrySize*len(pictures)+body.Len())))
		body.Write(data)
	}
	return place(path, append(head.Bytes(), body.Bytes()...))
}

// place writes a file, whole or not at all.
func place(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("create icon folder: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".icon-*")
	if err != nil {
		return fmt.Errorf("create icon: %w", err)
	}
	defer os.Remove(f.Name()) // after the rename there is nothing left to remove
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("write icon: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("place icon: %w", err)
	}
	return nil
}
