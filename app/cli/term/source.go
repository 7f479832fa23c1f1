package term

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"searchmcp/app/highlight"
)

// Line is a line of a file with its number.
type Line struct {
	Number int
	Text   string
	Note   string   // after the text
	Marks  [][2]int // byte ranges to highlight in addition to Source.Marks
}

// Source is an excerpt of a file.
type Source struct {
	Lines []Line // ascending; gaps in the numbers are omitted lines
	Best  int    // number of the best line, or 0
	Marks highlight.Terms
	List  bool // each line is a separate result, so gaps are not marked
}

const (
	tabWidth = 4
	// indent precedes the numbers. Below omitted lines gapMark replaces it, because a separate line for the gap would
	// double excerpts of single lines.
	indent, gapMark = "  ", "… " // unlike ⋮, … is in every font
	// minNumber keeps the gutters of most results equally wide.
	minNumber = 4
	// leastRoom is the minimum number of columns of a line that are shown in a narrow terminal.
	leastRoom = 20
)

// Source formats an excerpt. Each line has its number and is cut to the width. The common indentation is removed, and a
// mark follows omitted lines.
func (s Screen) Source(x Source) string {
	if len(x.Lines) == 0 {
		return ""
	}
	width := max(len(strconv.Itoa(x.Lines[len(x.Lines)-1].Number)), minNumber)
	room := 0
	if s.Width > 0 {
		room = max(s.Width-len(indent)-width-2, leastRoom)
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
		number, code := fmt.Sprintf("%*d", width, l.Number), codeNumber
		if l.Number == x.Best {
			code = codeBest
		}
		note, left := "", room
		if l.Note != "" {
			note = "  " + Clean(l.Note)
			if left = room - Columns(note); room > 0 && left < leastRoom {
				note, left = "", room
			}
			left = max(left, 0)
		}
		b.WriteString(strings.TrimRight(before+s.Style.paint(code, number)+"  "+s.row(rows[i], shift, left)+
			s.Style.Dim(note), " ") + "\n")
	}
	return b.String()
}

// cell is a character and its style.
type cell struct {
	r         rune
	mark, dim bool
}

// cells splits the excerpt into rows of characters, with tabs expanded and terms highlighted.
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
			c := cell{r: r, mark: len(marks) > 0 && at >= marks[0][0]}
			if r != '\t' {
				rows[i] = append(rows[i], c)
				continue
			}
			for range tabWidth - len(rows[i])%tabWidth {
				rows[i] = append(rows[i], cell{r: ' '})
			}
		}
	}
	return rows
}

// common returns the common indentation of all rows in columns.
func common(rows [][]cell) int {
	least := -1
	for _, row := range rows {
		n := 0
		for n < len(row) && row[n].r == ' ' {
			n++
		}
		if n < len(row) && (least < 0 || n < least) {
			least = n
		}
	}
	return max(least, 0)
}

// keep is the number of columns before the first mark that stay visible when the start of a line is cut.
const keep = 16

// row formats one line in room columns; 0 means unlimited. If all marks are beyond room, the line is cut to start
// shortly before the first mark.
func (s Screen) row(cells []cell, shift, room int) string {
	cells = cells[min(shift, len(cells)):]
	if room > 0 && columns(cells) > room {
		if mark := firstMark(cells); mark >= 0 && columns(cells[:markEnd(cells, mark)]) > room-1 {
			from := mark
			for from > 0 && columns(cells[from-1:mark]) <= min(keep, room/3) {
				from--
			}
			cells = append([]cell{{r: '…', dim: true}}, cells[from:]...)
		}
		if columns(cells) > room {
			n, used := 0, 0
			for n < len(cells) && used+runewidth.RuneWidth(cells[n].r) < room {
				used += runewidth.RuneWidth(cells[n].r)
				n++
			}
			cells = append(cells[:n:n], cell{r: '…', dim: true})
		}
	}
	var b strings.Builder
	for i := 0; i < len(cells); {
		code := cells[i].paint()
		j := i
		for j < len(cells) && cells[j].paint() == code {
			j++
		}
		run := make([]rune, 0, j-i)
		for _, c := range cells[i:j] {
			run = append(run, c.r)
		}
		b.WriteString(s.Style.paint(code, string(run)))
		i = j
	}
	return b.String()
}

func (c cell) paint() string {
	switch {
	case c.mark:
		return codeMark
	case c.dim:
		return codeNumber
	}
	return ""
}

func columns(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += runewidth.RuneWidth(c.r)
	}
	return n
}

func firstMark(cells []cell) int {
	for i, c := range cells {
		if c.mark {
			return i
		}
	}
	return -1
}

func markEnd(cells []cell, first int) int {
	for first < len(cells) && cells[first].mark {
		first++
	}
	return first
}

// Marked highlights the query's terms in a text of one line.
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

// Record formats a line as grep does, PATH:LINE:TEXT, for fzf, an editor's quickfix list and other programs. Column 0
// is omitted.
func (s Screen) Record(path string, line, column int, text string, words highlight.Terms) string {
	place := s.Style.Path(OneLine(path)) + ":" + s.Style.paint(codeGood, strconv.Itoa(line)) + ":"
	if column > 0 {
		place += s.Style.paint(codeGood, strconv.Itoa(column)) + ":"
	}
	return place + s.Marked(OneLine(text), words) + "\n"
}
