package term

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// Clean shows text from files and names without what a terminal would obey: escape sequences, control and bidirectional
// characters.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == unicode.ReplacementChar, unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return '·'
		}
		return r
	}, text)
}

// OneLine is Clean for a record of one line: newlines are blanks.
func OneLine(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimRight(Clean(text), "\n"))
}

// cut is what stands where a line is cut.
const cut = "…"

// Cut shortens a text without escape sequences to a number of columns; 0 leaves it whole.
func Cut(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	return runewidth.Truncate(text, columns, cut)
}

// CutPath shortens a path to a number of columns by leaving out its middle, since its end says most.
func CutPath(path string, columns int) string {
	if columns <= 0 || runewidth.StringWidth(path) <= columns {
		return path
	}
	return runewidth.TruncateLeft(path, runewidth.StringWidth(path)-columns+1, cut)
}

// Columns is how many columns a text without escape sequences takes.
func Columns(text string) int { return runewidth.StringWidth(text) }
