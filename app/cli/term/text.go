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

// Clean replaces characters that control a terminal: escape sequences, control and bidirectional characters.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || obeyed(r) {
			return '·'
		}
		return r
	}, text)
}

// obeyed reports whether a terminal interprets r instead of showing it.
func obeyed(r rune) bool {
	switch {
	case r >= 0xe0100 && r <= 0xe01ef, // variation selectors 17 to 256 can hide text; the first 16 style emoji
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers are invisible
		return true
	}
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp))
}

// Escaped writes such characters as JSON escapes: a program reads the same value and a terminal interprets nothing.
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

// OneLine is Clean for one line: newlines become blanks.
func OneLine(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimRight(Clean(text), "\n"))
}

const cut = "…"

// Cut shortens a text without escape sequences to a number of columns; 0 keeps it.
func Cut(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	return runewidth.Truncate(text, columns, cut)
}

// CutPath shortens a path to a number of columns at its start.
func CutPath(path string, columns int) string {
	if columns <= 0 || runewidth.StringWidth(path) <= columns {
		return path
	}
	return runewidth.TruncateLeft(path, runewidth.StringWidth(path)-columns+1, cut)
}

// Columns returns the width of a text without escape sequences in columns.
func Columns(text string) int { return runewidth.StringWidth(text) }
