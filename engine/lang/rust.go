package lang

import (
	"regexp"
	"strings"
)

// wrapper matches the beginning of a macro call with braces, and wrapped the first definition inside the braces.
var (
	wrapper = regexp.MustCompile(`(?m)^[ \t]*((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*![ \t]*\{)`)
	wrapped = regexp.MustCompile(`^(?:\s|//.*\n|/\*(?s:.*?)\*/|#!?\[[^\n]*\]\s)*(?:pub(?:\([^)\n]*\))?\s+)?` +
		`(?:(?:async|const|unsafe|extern(?:\s*"[^"]*")?)\s+)*(?:fn|struct|enum|trait|union|type|static|impl|mod|use|macro_rules!)\s`)
	// template matches content of a macro that is not plain code, such as "$name".
	template = regexp.MustCompile(`\$|#[A-Za-z_(]|\bstruct\s+\w+\s*:`)
)

// maxWrapped limits the search for closing braces, as a multiple of the file's length in bytes.
const maxWrapped = 8

// unwrapped removes macros around code. begin matches the text up to the opening brace.
func unwrapped(text string, begin *regexp.Regexp, change func(b []byte, m []int, end int) bool) string {
	b := []byte(text)
	left := maxWrapped * len(text)
	for _, m := range begin.FindAllStringSubmatchIndex(text, -1) {
		end := Closing(text, m[1])
		if left -= end - m[1]; end < 0 || left < 0 {
			break
		}
		if change(b, m, end) {
			Blank(b[m[2]:m[3]])
			b[end] = ' '
		}
	}
	return string(b)
}

// withoutWrappers replaces macros around items, such as cfg_rt! { pub fn spawn … }, by spaces, because the grammar
// can't parse their content.
func withoutWrappers(text string) string {
	text = unwrapped(text, cfgIf, func(b []byte, m []int, end int) bool {
		for _, branch := range cfgBranch.FindAllStringIndex(text[m[1]:end], -1) {
			Blank(b[m[1]+branch[0] : m[1]+branch[1]])
			if e := Closing(text, m[1]+branch[1]); e >= 0 && e < end {
				b[e] = ' '
			}
		}
		return true
	})
	text = unwrapped(text, bitflags, func(b []byte, m []int, end int) bool {
		inside := text[m[1]:end]
		types := flagsType.FindAllStringSubmatchIndex(inside, -1)
		for _, t := range types {
			copy(b[m[1]+t[2]:], "enum  ")
			Blank(b[m[1]+t[4] : m[1]+t[5]])
		}
		for _, f := range oneFlag.FindAllStringSubmatchIndex(inside, -1) {
			Blank(b[m[1]+f[2] : m[1]+f[3]])
			b[m[1]+f[4]] = ','
		}
		return types != nil
	})
	return unwrapped(text, wrapper, func(_ []byte, m []int, end int) bool {
		inside := strings.TrimRight(text[m[1]:end], " \t\r\n")
		return wrapped.MatchString(inside) && !template.MatchString(inside) &&
			(strings.HasSuffix(inside, "}") || strings.HasSuffix(inside, ";"))
	})
}

var (
	cfgIf     = regexp.MustCompile(`(?m)^[ \t]*((?:\w+::)?cfg_if![ \t]*\{)`)
	cfgBranch = regexp.MustCompile(`(?:\}\s*else\s*)?if\s*#\[[^\]]*\]\s*\{|\}\s*else\s*\{`)
	bitflags  = regexp.MustCompile(`(?m)^[ \t]*((?:\w+::)?bitflags![ \t]*\{)`)
	flagsType = regexp.MustCompile(`\b(struct)\s+\w+(\s*:\s*[\w:]+)`)
	oneFlag   = regexp.MustCompile(`\b(const)\s+\w+\s*=[^;{}]*(;)`)
)

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
