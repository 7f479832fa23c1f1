package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
)

// plot is lines over a common axis.
type plot struct {
	title, x, y string
	lines       []line
	targets     []float64 // drawn across
}

type line struct {
	name string
	x, y []float64
}

// Sizes of a drawing, in pixels.
const (
	plotWidth, plotHeight = 720, 360
	left, right           = 70, 20
	top, bottom           = 40, 50
)

// colours of the lines, apart from each other for the colour-blind too (Okabe and Ito, 2008), on a light ground and on
// a dark.
var colours = []string{"#0072b2", "#d55e00", "#009e73"}

// svg draws a plot whose both axes begin at 0.
func (p plot) svg() []byte {
	wide, high := 0.0, 0.0
	for _, t := range p.targets {
		high = max(high, t)
	}
	for _, l := range p.lines {
		wide, high = max(wide, slices.Max(l.x)), max(high, slices.Max(l.y))
	}
	stepX, stepY := step(wide), step(high)
	wide, high = stepX*math.Ceil(wide/stepX), stepY*math.Ceil(high/stepY)
	at := func(x, y float64) (float64, float64) {
		return left + x/wide*(plotWidth-left-right), plotHeight - bottom - y/high*(plotHeight-top-bottom)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+
		"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", plotWidth, plotHeight)
	label := func(x, y float64, anchor, text string) {
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="%s" fill="#333">%s</text>`+"\n", x, y, anchor,
			html.EscapeString(text))
	}
	stroke := func(x1, y1, x2, y2 float64, style string) {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>`+"\n", x1, y1, x2, y2, style)
	}
	label(plotWidth/2, top/2, "middle", p.title)
	label(plotWidth/2, plotHeight-10, "middle", p.x)
	label(10, top-12, "start", p.y)
	for v := 0.0; v <= high*1.001; v += stepY {
		x, y := at(0, v)
		stroke(x, y, plotWidth-right, y, `stroke="#ddd"`)
		label(x-6, y+4, "end", number(v, 2))
	}
	for v := 0.0; v <= wide*1.001; v += stepX {
		x, y := at(v, 0)
		stroke(x, y, x, y+5, `stroke="#333"`)
		label(x, y+18, "middle", number(v, 1))
	}
	for _, t := range p.targets {
		x, y := at(0, t)
		stroke(x, y, plotWidth-right, y, `stroke="#333" stroke-dasharray="6 4"`)
		label(plotWidth-right, y-5, "end", "target")
	}
	for i, l := range p.lines {
		colour := colours[i%len(colours)]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
		for j := range min(len(l.x), len(l.y)) {
			x, y := at(l.x[j], l.y[j])
			fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
		}
		fmt.Fprintf(&b, `"/>`+"\n")
		stroke(left+15, float64(top+10+18*i), left+40, float64(top+10+18*i),
			fmt.Sprintf(`stroke="%s" stroke-width="2"`, colour))
		label(left+46, float64(top+14+18*i), "start", l.name)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// step is the distance of the ticks of an axis: 1, 2 or 5 times a power of ten, at most eight of them.
func step(limit float64) float64 {
	if limit <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(limit/8)))
	for _, m := range []float64{1, 2, 5} {
		if limit/(m*power) <= 8 {
			return m * power
		}
	}
	return 10 * power
}
