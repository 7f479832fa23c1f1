package term

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"searchmcp/app/endpoint/display"
)

// Clean replaces characters that control a terminal: escape, control and bidirectional characters.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || display.Hidden(r) {
			return '·'
		}
		return r
	}, text)
}

// Escaped writes the characters that Clean replaces as JSON escapes, which keep the value.
func Escaped(text []byte) []byte {
	if !bytes.ContainsFunc(text, display.Hidden) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		switch {
		case !display.Hidden(r):
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

// OneLine is Clean for one line: newlines become blanks.
func OneLine(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimRight(Clean(text), "\n"))
}

const cut = "…"

// Cut shortens text, which has no escape sequences, to columns, unless columns is 0.
func Cut(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	return runewidth.Truncate(text, columns, cut)
}

// CutPath cuts off the start of a path that is wider than columns, unless columns is 0.
func CutPath(path string, columns int) string {
	if columns <= 0 || runewidth.StringWidth(path) <= columns {
		return path
	}
	return runewidth.TruncateLeft(path, runewidth.StringWidth(path)-columns+1, cut)
}

// Columns returns the width in columns of a text without escape sequences.
func Columns(text string) int { return runewidth.StringWidth(text) }
