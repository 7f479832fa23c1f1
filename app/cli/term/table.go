package term

import (
	"cmp"
	"strings"
)

type Cell struct {
	Text  string
	Raw   string // text for programs, if it differs from Text
	Right bool
	Path  bool // a long path is cut at the start
	Paint func(string) string
}

// Table returns rows as a table below heads. For programs it omits heads and separates fields with tabs.
func (s Screen) Table(heads []string, rows [][]Cell) string {
	var b strings.Builder
	if !s.Interactive {
		for _, row := range rows {
			fields := make([]string, len(row))
			for i, c := range row {
				fields[i] = strings.ReplaceAll(OneLine(cmp.Or(c.Raw, c.Text)), "\t", " ")
			}
			b.WriteString(strings.Join(fields, "\t") + "\n")
		}
		return b.String()
	}
	head := make([]Cell, len(heads))
	for i, h := range heads {
		head[i] = Cell{Text: h, Paint: s.Style.Dim, Right: len(rows) > 0 && rows[0][i].Right}
	}
	rows = append([][]Cell{head}, rows...)
	widths := make([]int, len(heads))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], Columns(OneLine(c.Text)))
		}
	}
	last := len(heads) - 1
	if s.Width > 0 {
		used := 0
		for _, w := range widths[:last] {
			used += w + len(gap)
		}
		widths[last] = min(widths[last], max(s.Width-used, minLast))
	}
	for _, row := range rows {
		for i, c := range row {
			text := OneLine(c.Text)
			switch {
			case i < last:
			case c.Path:
				text = CutPath(text, widths[i])
			default:
				text = Cut(text, widths[i])
			}
			padding := strings.Repeat(" ", max(widths[i]-Columns(text), 0))
			if c.Paint != nil && text != "" {
				text = c.Paint(text)
			}
			switch {
			case c.Right:
				b.WriteString(padding + text)
			case i == last:
				b.WriteString(text)
			default:
				b.WriteString(text + padding)
			}
			if i < last {
				b.WriteString(gap)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

const (
	gap     = "  "
	minLast = 12
)
