package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

// wrapper matches a macro called with braces at the beginning of a line. wrapped matches the first item in the braces.
var (
	wrapper = regexp.MustCompile(`(?m)^[ \t]*((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*![ \t]*\{)`)
	wrapped = regexp.MustCompile(`^(?:\s|//.*\n|/\*(?s:.*?)\*/|#!?\[[^\n]*\]\s)*(?:pub(?:\([^)\n]*\))?\s+)?` +
		`(?:(?:async|const|unsafe|extern(?:\s*"[^"]*")?)\s+)*(?:fn|struct|enum|trait|union|type|static|impl|mod|use|macro_rules!)\s`)
	// template matches placeholders in a macro's definition or in quote!, and the structs of bitflags!.
	template = regexp.MustCompile(`\$|#[A-Za-z_(]|\bstruct\s+\w+\s*:`)
)

// unsafeBlock matches the keyword unsafe before an extern block.
var unsafeBlock = regexp.MustCompile(`(?m)^[ \t]*(unsafe)[ \t]+extern\b[^\n;(]*\{`)

// maxWrapped limits the bytes that are searched for the ends of macros, as a multiple of the file's length.
const maxWrapped = 8

// withoutWrappers blanks macros around items, such as cfg_rt! { pub fn spawn … }, because the grammar does not parse
// their content.
func withoutWrappers(text string) string {
	text = flagsAsEnums(withoutBranches(blanking(unsafeBlock)(text)))
	b := []byte(text)
	left := maxWrapped * len(text)
	for _, m := range wrapper.FindAllStringSubmatchIndex(text, -1) {
		if left < 0 || !wrapped.MatchString(text[m[1]:]) {
			continue
		}
		end := closing(text, m[1])
		if end < 0 {
			break
		}
		left -= end - m[1]
		inside := strings.TrimRight(text[m[1]:end], " \t\r\n")
		if template.MatchString(inside) || !strings.HasSuffix(inside, "}") && !strings.HasSuffix(inside, ";") {
			continue
		}
		Blank(b[m[2]:m[3]])
		b[end] = ' '
	}
	return string(b)
}

var (
	cfgIf     = regexp.MustCompile(`(?m)^[ \t]*(?:\w+::)?cfg_if![ \t]*\{`)
	cfgBranch = regexp.MustCompile(`(?:\}\s*else\s*)?if\s*#\[[^\]]*\]\s*\{|\}\s*else\s*\{`)
	bitflags  = regexp.MustCompile(`(?m)^[ \t]*((?:\w+::)?bitflags![ \t]*\{)`)
	flagsType = regexp.MustCompile(`\b(struct)\s+\w+(\s*:\s*[\w:]+)`)
	oneFlag   = regexp.MustCompile(`\b(const)\s+\w+\s*=[^;{}]*(;)`)
)

// withoutBranches blanks the conditions of cfg_if!, so that the grammar parses the items of all branches.
func withoutBranches(text string) string {
	b := []byte(text)
	for _, m := range cfgIf.FindAllStringIndex(text, -1) {
		end := closing(text, m[1])
		if end < 0 {
			break
		}
		Blank(b[m[0]:m[1]])
		b[end] = ' '
		for _, branch := range cfgBranch.FindAllStringIndex(text[m[1]:end], -1) {
			Blank(b[m[1]+branch[0] : m[1]+branch[1]])
			if e := closing(text, m[1]+branch[1]); e >= 0 && e < end {
				b[e] = ' '
			}
		}
	}
	return string(b)
}

// flagsAsEnums rewrites bitflags! as enumerations and preserves all offsets.
func flagsAsEnums(text string) string {
	b := []byte(text)
	for _, m := range bitflags.FindAllStringSubmatchIndex(text, -1) {
		end := closing(text, m[1])
		if end < 0 {
			break
		}
		inside := text[m[1]:end]
		types := flagsType.FindAllStringSubmatchIndex(inside, -1)
		if types == nil {
			continue
		}
		Blank(b[m[2]:m[3]])
		b[end] = ' '
		for _, t := range types {
			copy(b[m[1]+t[2]:], "enum  ")
			Blank(b[m[1]+t[4] : m[1]+t[5]])
		}
		for _, f := range oneFlag.FindAllStringSubmatchIndex(inside, -1) {
			Blank(b[m[1]+f[2] : m[1]+f[3]])
			b[m[1]+f[4]] = ','
		}
	}
	return string(b)
}

// closing returns the position of the brace that closes the open brace just before offset from, or -1. It skips
// comments, strings and character literals.
func closing(text string, from int) int {
	depth := 1
	for i := from; i < len(text); i++ {
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

// rustImpl returns the type of an impl block as its name.
var rustImpl = changed(byField("type"), func(_ tree.Node, id *Ident) {
	id.Name = generic(strings.TrimLeft(id.Name, "&"))
})

// rustQuoted implements Language.Quoted for names in the braces of a format string.
func rustQuoted(o *Occurrence) (bool, string) {
	if o.Comment() {
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
