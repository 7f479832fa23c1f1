package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/highlight"
)

const excerptLines = 2

type excerpt struct {
	widget.BaseWidget
	pieces []piece
	size   fyne.ThemeSizeName
	most   int // greatest number of lines; 0 means all
}

type piece struct {
	text   string
	marked bool
	begins bool // starts a word
}

func newExcerpt(size fyne.ThemeSizeName, most int) *excerpt {
	x := &excerpt{size: size, most: most}
	x.ExtendBaseWidget(x)
	return x
}

func (x *excerpt) set(text string, terms highlight.Terms) {
	x.pieces = nil
	for _, w := range strings.Fields(text) {
		at := 0
		add := func(end int, marked bool) {
			if end > at {
				x.pieces = append(x.pieces, piece{w[at:end], marked, at == 0})
				at = end
			}
		}
		for _, m := range terms.In(w) {
			add(m[0], false)
			add(m[1], true)
		}
		add(len(w), false)
	}
	x.Refresh()
}

func (x *excerpt) CreateRenderer() fyne.WidgetRenderer { return &excerptRenderer{x: x} }

type excerptRenderer struct {
	x       *excerpt
	width   float32
	height  float32
	objects []fyne.CanvasObject
}

func (r *excerptRenderer) Destroy()                     {}
func (r *excerptRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *excerptRenderer) MinSize() fyne.Size           { return fyne.NewSize(0, r.height) }

func (r *excerptRenderer) Layout(size fyne.Size) {
	if size.Width != r.width {
		r.width = size.Width
		r.set()
	}
}

func (r *excerptRenderer) Refresh() {
	r.set()
	canvas.Refresh(r.x)
}

func (r *excerptRenderer) set() {
	x := r.x
	size := x.Theme().Size(x.size)
	measure := func(s string) float32 { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width }
	h, space := fyne.MeasureText("Mg", size, fyne.TextStyle{}).Height+2, measure(" ")
	var grounds, texts []fyne.CanvasObject
	write := func(s string, left float32, row int, marked bool) {
		t := canvas.NewText(s, shade(theme.ColorNameForeground))
		t.TextSize = size
		t.Move(fyne.NewPos(left, float32(row)*h+1))
		t.Resize(t.MinSize())
		texts = append(texts, t)
		if marked {
			g := canvas.NewRectangle(shade(colorFound))
			g.CornerRadius = 2
			put(g, left, float32(row)*h, t.MinSize().Width, h)
			grounds = append(grounds, g)
		}
	}
	at, row := float32(0), 0
	run, from, marked := "", float32(0), false
	flush := func() {
		if run != "" {
			write(run, from, row, marked)
		}
		run = ""
	}
	for i, p := range x.pieces {
		wide := measure(p.text)
		word := wide // width of all pieces of the word
		for _, rest := range x.pieces[i+1:] {
			if rest.begins {
				break
			}
			word += measure(rest.text)
		}
		switch {
		case !p.begins:
		case at > 0 && at+space+word > r.width:
			if x.most > 0 && row+1 == x.most {
				run += "…"
				flush()
				r.finish(grounds, texts, row, h)
				return
			}
			flush()
			at, row = 0, row+1
		case at > 0:
			at += space
			if run != "" && !marked {
				run += " "
			}
		}
		if run == "" || p.marked || marked {
			flush()
			run, from, marked = p.text, at, p.marked
		} else {
			run += p.text
		}
		at += wide
	}
	flush()
	r.finish(grounds, texts, row, h)
}

func (r *excerptRenderer) finish(grounds, texts []fyne.CanvasObject, row int, lineHeight float32) {
	r.objects = append(grounds, texts...)
	r.height = float32(row+1) * lineHeight
}
