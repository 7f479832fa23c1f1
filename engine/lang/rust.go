package lang

import (
	"regexp"
	"strings"
)

// wrapper matches the beginning of a macro call with braces, and wrapped the first definition inside the braces.
var (
	wrapper = regexp.MustCompile(`(?m)^[ \t]*((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*![ \t]*\{)`)
	wrapped = regexp.MustCompile(`^(?:\s|//.*\n|/\*(?s:.*?)\*/|#!?\[[^\n]*\]\s)*(?:pub(?:\([^)\n]*\))?\s+)?` +
		`(?:(?:async|const|unsafe|extern(?:\s*"[^"]*")?)\s+)*(?:fn|struct|enum|trait|union|type|static|impl|mod|use|macro_rules!|if cfg)\s`)
	// template matches content of a macro that is not plain code, such as "$name".
	template = regexp.MustCompile(`\$|#[A-Za-z_(]|\bstruct\s+\w+\s*:`)
)

// withoutWrappers replaces macros around items, such as cfg_rt! { pub fn spawn … }, by spaces, because the grammar
// can't parse their content.
func withoutWrappers(text string) string {
	b := []byte(text)
	left := 8 * len(text) // limits the search for closing braces in nested macros
	for _, m := range wrapper.FindAllStringSubmatchIndex(text, -1) {
		end := Closing(text, m[3])
		if left -= end - m[3]; end < 0 || left < 0 {
			break
		}
		inside := strings.TrimRight(text[m[3]:end], " \t\r\n")
		if wrapped.MatchString(inside) && !template.MatchString(inside) &&
			(strings.HasSuffix(inside, "}") || strings.HasSuffix(inside, ";")) {
			Blank(b[m[2]:m[3]])
			b[end] = ' '
		}
	}
	return string(b)
}

// Closing returns the offset of the brace that closes a block, or -1. start is the offset after the opening brace.
func Closing(text string, start int) int {
	depth := 1
	for i := start; i < len(text); i++ {
		switch rest := text[i:]; rest[0] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '/', '"', '\'', 'r':
			i += max(0, len(rustToken.FindString(rest))-1)
		}
	}
	return -1
}

var rustToken = regexp.MustCompile(
	`^(?://[^\n]*|/\*(?s:.*?)\*/|"(?s:\\.|[^"\\])*"|'(?:\\[^\n]{1,10}?|[^'\\\n])'|r#"(?s:.*?)"#|r"[^"]*")`)

// rustQuoted recognizes names in the braces of a format string.
func rustQuoted(o *Occurrence) (bool, string) {
	if o.Comment {
		return false, ""
	}
	before, after := o.Text[o.leaf.StartByte():o.Start], o.Text[o.End:max(int(o.leaf.EndByte()), o.End)]
	open := strings.LastIndexByte(before, '{')
	if open < 0 || strings.IndexByte(before[open:], '}') >= 0 || strings.Count(before[:open+1], "{")-
		strings.Count(before[:open], "}") > 1 && strings.HasSuffix(before[:open], "{") {
		return false, ""
	}
	return open == len(before)-1 || strings.HasPrefix(after, "$"), ""
}
