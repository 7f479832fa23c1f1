package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// excerptLines is how many lines of prose a row of the results has room for.
const excerptLines = 2

// excerpt is a paragraph of prose with marked words, broken into the width there is.
type excerpt struct {
	widget.BaseWidget
	words []string
	marks []bool
	size  fyne.ThemeSizeName
	most  int // lines; 0: as many as it takes
}

func newExcerpt(size fyne.ThemeSizeName, most int) *excerpt {
	x := &excerpt{size: size, most: most}
	x.ExtendBaseWidget(x)
	return x
}

// set shows a text. Words that begin with one of the terms are marked.
func (x *excerpt) set(text string, terms []string) {
	x.words = strings.Fields(text)
	x.marks = make([]bool, len(x.words))
	for i, w := range x.words {
		lower := strings.ToLower(w)
		x.marks[i] = slices.ContainsFunc(terms, func(t string) bool { return strings.Contains(lower, t) })
	}
	x.Refresh()
}

// CreateRenderer implements fyne.Widget.
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

// set breaks the words into lines; words of a kind that stand together are one text.
func (r *excerptRenderer) set() {
	x, th, variant := r.x, r.x.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	size := th.Size(x.size)
	measure := func(s string) float32 { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width }
	h, space := fyne.MeasureText("Mg", size, fyne.TextStyle{}).Height+2, measure(" ")
	var grounds, texts []fyne.CanvasObject
	write := func(s string, left float32, row int, marked bool) {
		t := canvas.NewText(s, th.Color(theme.ColorNameForeground, variant))
		t.TextSize = size
		t.Move(fyne.NewPos(left, float32(row)*h+1))
		t.Resize(t.MinSize())
		texts = append(texts, t)
		if marked {
			g := canvas.NewRectangle(th.Color(colorFound, variant))
			g.CornerRadius = 2
			g.Move(fyne.NewPos(left, float32(row)*h))
			g.Resize(fyne.NewSize(t.MinSize().Width, h))
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
	for i, w := range x.words {
		wide := measure(w)
		if at > 0 && at+wide > r.width {
			if x.most > 0 && row+1 == x.most {
				run += "…"
				break
			}
			flush()
			at, row = 0, row+1
		}
		if run != "" && x.marks[i] == marked && !marked {
			run += " " + w
		} else {
			flush()
			run, from, marked = w, at, x.marks[i]
		}
		at += wide + space
	}
	flush()
	r.objects = append(grounds, texts...)
	r.height = float32(row+1) * h
}
