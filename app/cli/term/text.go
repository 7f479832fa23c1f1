package term

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Clean shows text from files and names without what a terminal would obey: escape sequences, control and bidirectional
// characters.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || obeyed(r) {
			return '·'
		}
		return r
	}, text)
}

// obeyed reports a character that a terminal, or what a text is pasted into, does not show but obeys.
func obeyed(r rune) bool {
	switch {
	case r >= 0xe0100 && r <= 0xe01ef, // variation selectors 17 to 256 carry hidden text; the first 16 style emoji
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers have no shape
		return true
	}
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp))
}

// Escaped writes such characters of JSON as its own escapes: a program reads the same, and a terminal obeys nothing.
func Escaped(text []byte) []byte {
	if !bytes.ContainsFunc(text, obeyed) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		switch {
		case !obeyed(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
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
