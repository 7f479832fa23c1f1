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

// Clean replaces control characters and invisible characters.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || display.Hidden(r) {
			return '·'
		}
		return r
	}, text)
}

// Visible returns text as it is in the answers of tools.
func Visible(text string) string { return display.Visible(text) }

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

func OneLine(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimRight(Clean(text), "\n"))
}

const cut = "…"

// Cut shortens text to columns. 0 means no limit. The text must not contain escape sequences.
func Cut(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	return runewidth.Truncate(text, columns, cut)
}

func CutPath(path string, columns int) string {
	if columns <= 0 || runewidth.StringWidth(path) <= columns {
		return path
	}
	return runewidth.TruncateLeft(path, runewidth.StringWidth(path)-columns+1, cut)
}

func Columns(text string) int { return runewidth.StringWidth(text) }
