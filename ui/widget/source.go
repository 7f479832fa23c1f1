package widget

import (
	"path/filepath"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

const (
	highlightLimit = 64 << 10
	tabWidth       = 4
)

// Cell is a rune of source code. Its colours are names in the theme.
type Cell struct {
	Rune   rune
	Fg, Bg fyne.ThemeColorName
}

var lexerOf sync.Map // lexers by file name; a lookup tries 1,000 patterns

func lexerFor(path string) chroma.Lexer {
	name := filepath.Base(path)
	lexer, known := lexerOf.Load(name)
	if !known {
		lexer, _ = lexerOf.LoadOrStore(name, lexers.Match(name))
	}
	l, _ := lexer.(chroma.Lexer)
	return l
}

func Colour(text, path string) [][]Cell {
	tokens := []chroma.Token{{Type: chroma.Text, Value: text}}
	if lexer := lexerFor(path); lexer != nil && len(text) <= highlightLimit {
		if it, err := chroma.Coalesce(lexer).Tokenise(nil, text); err == nil {
			tokens = it.Tokens()
		}
	}
	rows := [][]Cell{nil}
	for _, t := range tokens {
		ink := tokenColor(t.Type)
		for _, r := range t.Value {
			last := &rows[len(rows)-1]
			switch r {
			case '\n':
				rows = append(rows, nil)
			case '\t':
				for range tabWidth - len(*last)%tabWidth {
					*last = append(*last, Cell{Rune: ' ', Fg: ink})
				}
			default:
				*last = append(*last, Cell{Rune: r, Fg: ink})
			}
		}
	}
	if n := len(rows); n > 1 && len(rows[n-1]) == 0 {
		rows = rows[:n-1] // lexers append a newline
	}
	return rows
}

func tokenColor(t chroma.TokenType) fyne.ThemeColorName {
	switch {
	case t.InCategory(chroma.Comment):
		return ColorMuted
	case t == chroma.KeywordType || t == chroma.NameClass || t == chroma.NameFunction || t == chroma.NameBuiltin ||
		t == chroma.GenericHeading || t == chroma.NameTag:
		return colorName
	case t.InCategory(chroma.Keyword):
		return ColorKeyword
	case t.InSubCategory(chroma.LiteralString):
		return ColorString
	case t.InSubCategory(chroma.LiteralNumber):
		return colorNumber
	}
	return theme.ColorNameForeground
}

type marker = func(text string) [][2]int

func Mark(cells []Cell, terms marker) {
	var b strings.Builder
	starts := make([]int, len(cells)) // offset of each cell
	for i, c := range cells {
		starts[i] = b.Len()
		b.WriteRune(c.Rune)
	}
	marks := terms(b.String())
	for i := range cells {
		for len(marks) > 0 && starts[i] >= marks[0][1] {
			marks = marks[1:]
		}
		if len(marks) > 0 && starts[i] >= marks[0][0] {
			cells[i].Fg, cells[i].Bg = theme.ColorNameForeground, ColorFound
		}
	}
}

const ExcerptLines = 2

type Excerpt struct {
	widget.BaseWidget
	words [][]piece
	size  fyne.ThemeSizeName
	Most  int
}

type piece struct {
	text   string
	marked bool
}

func NewExcerpt(size fyne.ThemeSizeName, most int) *Excerpt {
	return extended(&Excerpt{size: size, Most: most})
}

func (x *Excerpt) Set(text string, terms marker) {
	x.words = nil
	for _, w := range strings.Fields(text) {
		var word []piece
		at := 0
		for _, m := range terms(w) {
			word = append(word, piece{w[at:m[0]], false}, piece{w[m[0]:m[1]], true})
			at = m[1]
		}
		x.words = append(x.words, append(word, piece{w[at:], false}))
	}
	x.Refresh()
}

func (x *Excerpt) CreateRenderer() fyne.WidgetRenderer {
	d := &drawing{}
	width, height := float32(0), float32(0)
	d.min = func() fyne.Size { return fyne.NewSize(0, height) }
	d.place = func(size fyne.Size) {
		if size.Width != width {
			width = size.Width
			d.objects, height = x.lines(width)
		}
	}
	d.paint = func() {
		d.objects, height = x.lines(width)
		canvas.Refresh(x)
	}
	return d
}

// lines distributes the words over lines and returns their total height.
func (x *Excerpt) lines(room float32) (objects []fyne.CanvasObject, height float32) {
	size := x.Theme().Size(x.size)
	measure := func(s string) float32 { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width }
	h, space := fyne.MeasureText("Mg", size, fyne.TextStyle{}).Height+2, measure(" ")
	var grounds, texts []fyne.CanvasObject
	at, row := float32(0), 0
	write := func(p piece) {
		if p.text == "" {
			return
		}
		t := canvas.NewText(p.text, shade(theme.ColorNameForeground))
		t.TextSize = size
		t.Move(fyne.NewPos(at, float32(row)*h+1))
		t.Resize(t.MinSize())
		texts = append(texts, t)
		if p.marked {
			g := canvas.NewRectangle(shade(ColorFound))
			g.CornerRadius = 2
			Place(g, at, float32(row)*h, t.MinSize().Width, h)
			grounds = append(grounds, g)
		}
		at += measure(p.text)
	}
	for _, word := range x.words {
		width := float32(0)
		for _, p := range word {
			width += measure(p.text)
		}
		next := at > 0 && at+space+width > room
		if next && row+1 == x.Most {
			write(piece{text: "…"})
			break
		}
		if next {
			at, row = 0, row+1
		} else if at > 0 {
			at += space
		}
		for _, p := range word {
			write(p)
		}
	}
	return append(grounds, texts...), float32(row+1) * h
}
