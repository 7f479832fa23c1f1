package term

import (
	"io"
	"regexp"
	"strings"
)

var (
	escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")
	// column matches the first column of a line with two columns.
	column = regexp.MustCompile(`^ *\S+(?: \S+)* {2,}`)
)

// Wrap breaks lines between words to fit into columns, or not at all if columns is 0. Continuation lines of text in two
// columns are indented like the second column.
func Wrap(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		plain := escapes.ReplaceAllString(line, "")
		if Columns(strings.TrimSuffix(plain, "\n")) <= columns {
			b.WriteString(line)
			continue
		}
		hang := len(plain) - len(strings.TrimLeft(plain, " "))
		if n := Columns(column.FindString(plain)); n > 0 && n <= columns/2 {
			hang = n
		}
		used, fresh := 0, true // fresh: the row contains only indentation
		for i, word := range strings.Split(line, " ") {
			width := Columns(escapes.ReplaceAllString(strings.TrimSuffix(word, "\n"), ""))
			switch {
			case i == 0:
			case used+1+width > columns && !fresh:
				b.WriteString("\n" + strings.Repeat(" ", hang))
				used, fresh = hang, true
			case fresh && used == hang && hang > 0 && i > hang && word == "":
				continue
			default:
				b.WriteByte(' ')
				used++
			}
			b.WriteString(word)
			used += width
			fresh = fresh && width == 0
		}
	}
	return b.String()
}

// Wrapped returns a writer that wraps lines to the width of s. Each Write must begin a new line.
func (s Screen) Wrapped(out io.Writer) io.Writer {
	if s.Width == 0 {
		return out
	}
	return wrapped{out, s.Width}
}

type wrapped struct {
	out     io.Writer
	columns int
}

func (w wrapped) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.out, Wrap(string(text), w.columns)); err != nil {
		return 0, err
	}
	return len(text), nil
}
