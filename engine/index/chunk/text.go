package chunk

import (
	"sort"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/files/codepage"
)

// source is a file's text with its lines. Line indexes in this package begin at 0.
type source struct {
	text   string
	starts []int // byte offset of each line, and len(text)
	runes  []int // number of characters before each line, and in total
}

type span struct{ start, end int }

// validText converts data to UTF-8 with LF line ends. replaced is the number of bytes replaced with U+FFFD. guessed is
// the encoding if it was detected without certainty.
func validText(data []byte) (text string, replaced int, guessed string) {
	text = strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		if g, ok := codepage.Decode(text); !ok {
			valid := strings.ReplaceAll(string([]rune(text)), "\x00", "\ufffd")
			replaced = strings.Count(valid, "\ufffd") - strings.Count(text, "\ufffd")
			text = valid
		} else if text = g.Text; g.Ambiguous {
			guessed = g.Name
		}
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = lineFeeds.Replace(text)
	}
	return text, replaced, guessed
}

// lineFeeds replaces single carriage returns with line feeds.
var lineFeeds = strings.NewReplacer("\r\n", "\r\n", "\r", "\n")

func sourceOf(text string) *source {
	s := &source{text: text}
	s.starts = make([]int, 0, 1+strings.Count(text, "\n"))
	s.runes = make([]int, 0, cap(s.starts)+1)
	at, total := 0, 0
	for line := range strings.Lines(text) {
		s.starts = append(s.starts, at)
		s.runes = append(s.runes, total)
		at += len(line)
		total += utf8.RuneCountInString(line)
	}
	s.starts = append(s.starts, len(text))
	s.runes = append(s.runes, total)
	return s
}

func (s *source) lines() int { return len(s.starts) - 1 }

func (s *source) lineAt(off int) int {
	return max(sort.SearchInts(s.starts[:s.lines()], off+1)-1, 0)
}

// size returns the number of characters in a range of lines.
func (s *source) size(first, last int) int { return s.runes[last+1] - s.runes[first] }

func (s *source) lineSpan(first, last int) span { return span{s.starts[first], s.starts[last+1]} }

func (s *source) line(i int) string {
	return strings.TrimRight(s.text[s.starts[i]:s.starts[i+1]], "\r\n")
}

func (s *source) blank(i int) bool { return s.empty(s.lineSpan(i, i)) }

// trim removes blank lines from both ends of a span, but no indentation.
func (s *source) trim(sp span) span {
	t := s.text[sp.start:sp.end]
	body := strings.TrimLeft(t, " \t\r\n\f\v")
	lead := t[:len(t)-len(body)]
	if i := strings.LastIndexAny(lead, "\r\n"); i >= 0 {
		sp.start += i + 1
	}
	end := sp.start + len(strings.TrimRight(s.text[sp.start:sp.end], " \t\r\n\f\v"))
	if i := strings.IndexAny(s.text[end:sp.end], "\r\n"); i >= 0 {
		end += i
	} else {
		end = sp.end
	}
	return span{sp.start, end}
}

func (s *source) empty(sp span) bool { return strings.TrimSpace(s.text[sp.start:sp.end]) == "" }

// indent returns the width of a line's leading white space. A tab counts as four.
func indent(line string) int {
	lead := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return len(lead) + 3*strings.Count(lead, "\t")
}
