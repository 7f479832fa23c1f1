package main

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"math"
	"slices"

	"searchmcp/packaging/command"
)

// largest is the icon's edge in pixels where there is one file only: the largest that the desktops' icon formats ask for
// without scaling up a second time.
const largest = 512

// sizes are those that desktops and Windows ask for: lists and panels (16 to 32), menus and taskbars (48 to 128), overviews
// (256, 512). Each is drawn, not scaled.
var sizes = []int{16, 22, 24, 32, 48, 64, 128, 256, largest}

var (
	background = color.NRGBA{R: 0x1f, G: 0x3a, B: 0x5f, A: 0xff}
	text       = color.NRGBA{R: 0x7d, G: 0x9c, B: 0xc4, A: 0xff}
	found      = color.NRGBA{R: 0xff, G: 0xc1, B: 0x4d, A: 0xff}
	glass      = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

// appAt returns the colour of a point of the application's icon.
func appAt(x, y float64) color.NRGBA {
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

// writeICO writes an ICO file: a header, an entry of 16 bytes for each picture, the pictures as PNG (since Windows Vista).
func writeICO(path string) error {
	var head, body bytes.Buffer
	pictures := slices.DeleteFunc(slices.Clone(sizes), func(size int) bool { return size > 256 }) // the format knows no larger ones
	head.Write([]byte{0, 0, 1, 0, byte(len(pictures)), 0})
	for _, size := range pictures {
		data, err := encode(size, appAt)
		if err != nil {
			return err
		}
		const headerSize, entrySize = 6, 16
		head.Write([]byte{byte(size), byte(size), 0, 0, 1, 0, 32, 0}) // 256 is written as 0; no palette, one plane, 32 bits
		head.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
		head.Write(binary.LittleEndian.AppendUint32(nil, uint32(headerSize+entrySize*len(pictures)+body.Len())))
		body.Write(data)
	}
	return command.Write(path, append(head.Bytes(), body.Bytes()...))
}
