package term

import "strings"

// Cell is a part of a row. Paint, if set, is applied after padding.
type Cell struct {
	Text  string
	Raw   string // for programs, if different from Text
	Right bool
	Path  bool // cut at the start instead of the end
	Paint func(string) string
}

// Table formats rows under the column heads. The last column takes the remaining width. For programs, fields are
// separated by tabs and heads are omitted.
func (s Screen) Table(heads []string, rows [][]Cell) string {
	var b strings.Builder
	if !s.Interactive {
		for _, row := range rows {
			fields := make([]string, len(row))
			for i, c := range row {
				text := c.Text
				if c.Raw != "" {
					text = c.Raw
				}
				fields[i] = strings.ReplaceAll(OneLine(text), "\t", " ")
			}
			b.WriteString(strings.Join(fields, "\t") + "\n")
		}
		return b.String()
	}
	widths := make([]int, len(heads))
	for i, h := range heads {
		widths[i] = Columns(h)
	}
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
	line := func(row []Cell) {
		for i, c := range row {
			text := OneLine(c.Text)
			if i == last {
				if c.Path {
					text = CutPath(text, widths[i])
				} else {
					text = Cut(text, widths[i])
				}
			}
			padding := strings.Repeat(" ", max(widths[i]-Columns(text), 0))
			shown := text
			if c.Paint != nil && text != "" {
				shown = c.Paint(text)
			}
			switch {
			case c.Right:
				b.WriteString(padding + shown)
			case i == last:
				b.WriteString(shown)
			default:
				b.WriteString(shown + padding)
			}
			if i < last {
				b.WriteString(gap)
			}
		}
		b.WriteString("\n")
	}
	head := make([]Cell, len(heads))
	for i, h := range heads {
		head[i] = Cell{Text: h, Paint: s.Style.Dim, Right: len(rows) > 0 && rows[0][i].Right}
	}
	line(head)
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

const (
	gap     = "  "
	minLast = 12 // columns of the last column in a narrow terminal
)
