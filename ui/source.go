package ui

import (
	"image/color"
	"path/filepath"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"searchmcp/app/highlight"
	"searchmcp/engine/api"
)

const (
	highlightLimit = 64 << 10
	tabWidth       = 4
)

// cellStyle implements widget.TextGridStyle with theme colours, so it follows changes of the theme.
type cellStyle struct {
	fg, bg fyne.ThemeColorName
}

func (s cellStyle) Style() fyne.TextStyle        { return fyne.TextStyle{} }
func (s cellStyle) TextColor() color.Color       { return shade(s.fg) }
func (s cellStyle) BackgroundColor() color.Color { return shade(s.bg) }

// sourceLines colours lines by language and marks terms. A jump in line numbers marks omitted lines.
func sourceLines(lines []api.Line, path string, best int, terms highlight.Terms) []sourceLine {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	var out []sourceLine
	for i, row := range colour(strings.Join(texts, "\n"), path) {
		if i == len(lines) {
			break
		}
		found(row.Cells, terms)
		out = append(out, sourceLine{number: lines[i].Number, cells: row.Cells, best: lines[i].Number == best,
			gap: i > 0 && lines[i].Number > lines[i-1].Number+1})
	}
	for len(out) < len(lines) { // lexers drop blank lines at the end
		out = append(out, sourceLine{number: lines[len(out)].Number})
	}
	return out
}

var lexerOf sync.Map // file name → chroma.Lexer, a cache, because a lookup compares a name with 1,000 patterns

func lexerFor(path string) chroma.Lexer {
	name := filepath.Base(path)
	lexer, known := lexerOf.Load(name)
	if !known {
		lexer, _ = lexerOf.LoadOrStore(name, lexers.Match(name))
	}
	l, _ := lexer.(chroma.Lexer)
	return l
}

func colour(text, path string) []widget.TextGridRow {
	tokens := []chroma.Token{{Type: chroma.Text, Value: text}}
	if lexer := lexerFor(path); lexer != nil && len(text) <= highlightLimit {
		if it, err := chroma.Coalesce(lexer).Tokenise(nil, text); err == nil {
			tokens = it.Tokens()
		}
	}
	rows := []widget.TextGridRow{{}}
	for _, t := range tokens {
		style := cellStyle{fg: tokenColor(t.Type)}
		for _, r := range t.Value {
			last := &rows[len(rows)-1]
			switch r {
			case '\n':
				rows = append(rows, widget.TextGridRow{})
			case '\t':
				for range tabWidth - len(last.Cells)%tabWidth {
					last.Cells = append(last.Cells, widget.TextGridCell{Rune: ' ', Style: style})
				}
			default:
				last.Cells = append(last.Cells, widget.TextGridCell{Rune: r, Style: style})
			}
		}
	}
	if n := len(rows); n > 1 && len(rows[n-1].Cells) == 0 {
		rows = rows[:n-1] // lexers append a newline
	}
	return rows
}

func tokenColor(t chroma.TokenType) fyne.ThemeColorName {
	switch {
	case t.InCategory(chroma.Comment):
		return colorMuted
	case t == chroma.KeywordType || t == chroma.NameClass || t == chroma.NameFunction || t == chroma.NameBuiltin ||
		t == chroma.GenericHeading || t == chroma.NameTag:
		return colorName
	case t.InCategory(chroma.Keyword):
		return colorKeyword
	case t.InSubCategory(chroma.LiteralString):
		return colorString
	case t.InSubCategory(chroma.LiteralNumber):
		return colorNumber
	}
	return theme.ColorNameForeground
}

func found(cells []widget.TextGridCell, terms highlight.Terms) {
	var b strings.Builder
	starts := make([]int, len(cells)) // offset of each cell in the text
	for i, c := range cells {
		starts[i] = b.Len()
		b.WriteRune(c.Rune)
	}
	marks := terms.In(b.String())
	for i := range cells {
		for len(marks) > 0 && starts[i] >= marks[0][1] {
			marks = marks[1:]
		}
		if len(marks) > 0 && starts[i] >= marks[0][0] {
			style := cells[i].Style.(cellStyle)
			style.fg, style.bg = theme.ColorNameForeground, colorFound
			cells[i].Style = style
		}
	}
}

const excerptLines = 2

type excerpt struct {
	widget.BaseWidget
	pieces []piece
	size   fyne.ThemeSizeName
	most   int // maximum number of lines; 0 means all
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
