package term

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"searchmcp/app/highlight"
)

type Line struct {
	Number int
	Text   string
	Note   string
	Marks  [][2]int // byte ranges to highlight
}

type Source struct {
	Lines []Line // omitted lines are shown as a gap
	Best  int    // number of the best line, or 0
	Marks highlight.Terms
	List  bool // omitted lines are not shown as gaps
}

const (
	tabWidth        = 4
	indent, gapMark = "  ", "… " // "…" is in more fonts than "⋮"
	minNumber       = 4
	minText         = 20
	// keep is the number of columns before the first match if the start of the line is cut off.
	keep = 16
)

func (s Screen) Source(x Source) string {
	if len(x.Lines) == 0 {
		return ""
	}
	gutter := max(len(strconv.Itoa(x.Lines[len(x.Lines)-1].Number)), minNumber)
	width := 0
	if s.Width > 0 {
		width = max(s.Width-len(indent)-gutter-2, minText)
	}
	rows := x.cells()
	shift := common(rows)
	var b strings.Builder
	next := x.Lines[0].Number
	for i, l := range x.Lines {
		before := indent
		if l.Number != next && !x.List {
			before = s.Style.Dim(gapMark)
		}
		next = l.Number + 1
		number, code := fmt.Sprintf("%*d", gutter, l.Number), codeNumber
		if l.Number == x.Best {
			code = codeBest
		}
		note, limit := "", width
		if l.Note != "" {
			note = "  " + Cut(Clean(l.Note), max(width/3, width+shift-columns(rows[i])-len("  ")))
			if limit = width - Columns(note); width > 0 && limit < minText {
				note, limit = "", width
			}
		}
		b.WriteString(strings.TrimRight(before+s.Style.paint(code, number)+"  "+s.row(rows[i], shift, max(limit, 0))+
			s.Style.Dim(note), " ") + "\n")
	}
	return b.String()
}

type cell struct {
	r    rune
	code string
}

func (x Source) cells() [][]cell {
	rows := make([][]cell, len(x.Lines))
	for i, l := range x.Lines {
		text := strings.TrimRight(strings.ReplaceAll(Clean(l.Text), "\n", " "), " \t")
		marks := x.Marks.In(text)
		if l.Marks != nil {
			marks = l.Marks
		}
		for at, r := range text {
			for len(marks) > 0 && at >= marks[0][1] {
				marks = marks[1:]
			}
			code := ""
			if len(marks) > 0 && at >= marks[0][0] {
				code = codeMark
			}
			if r != '\t' {
				rows[i] = append(rows[i], cell{r, code})
				continue
			}
			for range tabWidth - len(rows[i])%tabWidth {
				rows[i] = append(rows[i], cell{r: ' '})
			}
		}
	}
	return rows
}

func common(rows [][]cell) int {
	least := math.MaxInt
	for _, row := range rows {
		if n := slices.IndexFunc(row, func(c cell) bool { return c.r != ' ' }); n >= 0 {
			least = min(least, n)
		}
	}
	return least
}

func (s Screen) row(cells []cell, shift, width int) string {
	cells = cells[min(shift, len(cells)):]
	if width > 0 && columns(cells) > width {
		cells = cutRow(cells, width)
	}
	var b strings.Builder
	for i := 0; i < len(cells); {
		code, run := cells[i].code, ""
		for ; i < len(cells) && cells[i].code == code; i++ {
			run += string(cells[i].r)
		}
		b.WriteString(s.Style.paint(code, run))
	}
	return b.String()
}

// cutRow cuts a row to width, but keeps the first highlighted match.
func cutRow(cells []cell, width int) []cell {
	cutMark := cell{'…', codeNumber}
	marked := func(c cell) bool { return c.code == codeMark }
	if first := slices.IndexFunc(cells, marked); first >= 0 {
		end := first
		for end < len(cells) && marked(cells[end]) {
			end++
		}
		if columns(cells[:end]) > width-1 {
			from := first
			for from > 0 && columns(cells[from-1:first]) <= min(keep, width/3) {
				from--
			}
			cells = append([]cell{cutMark}, cells[from:]...)
		}
	}
	if columns(cells) <= width {
		return cells
	}
	n, used := 0, 0
	for n < len(cells) && used+runewidth.RuneWidth(cells[n].r) < width {
		used += runewidth.RuneWidth(cells[n].r)
		n++
	}
	return append(cells[:n:n], cutMark)
}

func columns(cells []cell) (n int) {
	for _, c := range cells {
		n += runewidth.RuneWidth(c.r)
	}
	return n
}

func (s Screen) Marked(text string, words highlight.Terms) string {
	if !s.Style.On {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range words.In(text) {
		b.WriteString(text[at:m[0]])
		b.WriteString(s.Style.Mark(text[m[0]:m[1]]))
		at = m[1]
	}
	return b.String() + text[at:]
}

// Record returns a line in the format of grep, such as "main.go:12:text" or, with a column, "main.go:12:5:text".
func (s Screen) Record(path string, line, column int, text string, words highlight.Terms) string {
	place := s.Style.Path(OneLine(path)) + ":" + s.Style.paint(codeGood, strconv.Itoa(line)) + ":"
	if column > 0 {
		place += s.Style.paint(codeGood, strconv.Itoa(column)) + ":"
	}
	return place + s.Marked(OneLine(text), words) + "\n"
}
