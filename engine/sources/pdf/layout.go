package pdf

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// How far apart, in sizes of the letters, what is placed by itself belongs together. Kerning moves letters by a tenth;
// the narrowest space between words has a fifth; lines of a paragraph are 1.2 apart, seldom more than 1.6.
const (
	wordGap      = 0.18
	lineGap      = 0.5
	paragraphGap = 1.7
)

// ligatures are letters that a font draws as one: nobody types them.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// layout makes text of strings and where they stand.
type layout struct {
	text  strings.Builder
	until time.Time
	steps int
	nodes int // of the tree of pages
	fonts map[string]*font

	first      bool    // nothing stands on the page yet
	x, y, last float64 // the end of what was placed last, and its size
}

// begin begins a page.
func (l *layout) begin() {
	if l.text.Len() > 0 {
		l.text.WriteString("\n\n")
	}
	l.first = true
}

// place puts a string on the page: at is where it begins, with the size of its letters, end where it ends.
func (l *layout) place(s string, at, end matrix) {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, ligatures.Replace(s))
	size := math.Hypot(at[2], at[3])
	if s == "" || size == 0 || l.text.Len() >= maxText {
		return
	}
	down, gap := math.Abs(at[5]-l.y), at[4]-l.x
	scale := max(min(size, l.last), 0.1)
	switch {
	case l.first:
	case down > paragraphGap*max(size, l.last):
		l.text.WriteString("\n\n")
	case down > lineGap*scale:
		l.text.WriteByte('\n')
	case gap > wordGap*scale || gap < -2*scale: // backwards: another column, or a line drawn in parts
		l.text.WriteByte(' ')
	}
	l.text.WriteString(s)
	l.first, l.x, l.y, l.last = false, end[4], end[5], size
}

// String is the text, without what only the page needed: words divided at the end of a line, spaces at either end.
func (l *layout) String() string {
	lines := strings.Split(l.text.String(), "\n")
	var b strings.Builder
	for i, line := range lines {
		line = strings.Join(strings.Fields(line), " ")
		if i+1 < len(lines) && divided(line, strings.TrimSpace(lines[i+1])) {
			b.WriteString(strings.TrimSuffix(line, "-"))
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	text := b.String()
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return strings.Trim(text, "\n")
}

// divided reports a word that goes on in the next line.
func divided(line, next string) bool {
	stem, hyphen := strings.CutSuffix(line, "-")
	last, _ := utf8.DecodeLastRuneInString(stem)
	first, _ := utf8.DecodeRuneInString(next)
	return hyphen && unicode.IsLower(last) && unicode.IsLower(first)
}
