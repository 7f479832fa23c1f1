package lang

import (
	"slices"
	"strings"
)

// Token is the range of a string or comment, including its delimiters.
type Token struct {
	Start, End int
	Comment    bool
}

// delimited is the syntax of a string or comment. If line is true, a string ends with its line.
type delimited struct {
	Enclosed
	comment, line bool
}

// Tokens returns the strings and comments in text that begin before the offset until, in order.
func (l *Language) Tokens(text string, until int) (out []Token) {
	var all []delimited
	comments := CommentsOf(l.Name)
	for _, e := range comments.Blocks {
		all = append(all, delimited{e, true, false})
	}
	for _, e := range l.Strings {
		all = append(all, delimited{e, false, false})
	}
	for _, sign := range comments.Lines {
		all = append(all, delimited{Enclosed{sign, "\n"}, true, false})
	}
	quotes := "\"'`"
	if l.Apostrophes || strings.Contains(l.Signs, "'") {
		quotes = `"`
	}
	for _, q := range strings.Split(quotes, "") {
		all = append(all, delimited{Enclosed{q, q}, false, true})
	}
	signs := `\`
	for _, d := range all {
		signs += d.Open[:1]
	}
	for at := 0; at < until; {
		i := strings.IndexAny(text[at:], signs)
		if i < 0 {
			break
		}
		at += i
		end := 0
		k := slices.IndexFunc(all, func(d delimited) bool { return strings.HasPrefix(text[at:], d.Open) })
		if k >= 0 {
			end = l.end(text, at, all[k])
		}
		switch {
		case end > at:
			out = append(out, Token{at, end, all[k].comment})
			at = end
		case text[at] == '\\':
			at += 2
		default:
			at++
		}
	}
	return out
}

// end returns the offset after the string or comment at start, or 0 for a string without an end, such as an apostrophe.
func (l *Language) end(text string, start int, d delimited) int {
	if d.Close == "" { // a discarded name, as in "#_name" in Clojure
		return start + len(d.Open) + strings.IndexAny(text[start+len(d.Open):]+" ", " \t\r\n,;()[]{}\"")
	}
	depth, nested := 0, d.Open
	if len(d.Open) > len(d.Close) { // a bracket, as in "#_(" in Clojure
		nested = d.Open[len(d.Open)-1:]
	}
	for i := start + len(d.Open); i < len(text); i++ {
		switch rest := text[i:]; {
		case len(d.Open) == 1 && !d.comment && rest[0] == '\\':
			i++
		case d.line && rest[0] == '\n':
			return 0
		case strings.HasPrefix(rest, d.Close):
			if depth--; depth < 0 {
				return i + len(d.Close)
			}
			i += len(d.Close) - 1
		case l.Nests && d.comment && strings.HasPrefix(rest, nested) && d.Close != "\n":
			depth++
			i += len(nested) - 1
		}
	}
	if d.comment {
		return len(text)
	}
	return 0
}
