package ui

import (
	"image/color"
	"path/filepath"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
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

var lexerOf sync.Map // file name → chroma.Lexer, because a match compares the name with a thousand patterns

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
