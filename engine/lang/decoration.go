package lang

import (
	"regexp"
	"slices"
	"strings"
)

// madeFunction matches a macro that defines a function, such as SYSCALL_DEFINE1(read, int, fd) {.
var (
	madeFunction = regexp.MustCompile(`(?m)^(?:[ \t]*(?:TEST|BOOST_|SCENARIO))?[A-Z][A-Z0-9_]*[ \t]*` +
		`\(\s*(?:"([^",()\n]+)(?:,[^"()\n]*)?"|([\pL_][\pL\pN_]*))\s*(?:,\s*([\pL_][\pL\pN_]*)\s*)?` +
		`(?:,[^()\n]*(?:\n[^()\n]*)?)?\)([ \t\r\n])\s*\{`)
	ofClass = regexp.MustCompile(`^\s*(?:(?:TYPED_)?TEST(?:_[FPG])?|[A-Z0-9_]*_METHOD)[ \t]*\(`)
)

// madeFunctions rewrites macros that define functions as C functions, without changing offsets. An argument of the
// macro is the function's name.
func madeFunctions(text string) string {
	b := []byte(text)
	for _, m := range madeFunction.FindAllStringSubmatchIndex(text, -1) {
		name := Group(m)
		if m[6] >= 0 && (m[2] >= 0 || ofClass.MatchString(text[m[0]:m[1]])) {
			name = m[6:]
		}
		start, end, after := name[0], name[1], m[8]
		if start-m[0] < len("void ") || strings.ContainsRune(text[start:end], '\\') {
			continue
		}
		Blank(b[m[0]:start])
		Blank(b[end:after])
		copy(b[m[0]:], "void")
		for i := start; i < end; i++ {
			if !WordByte(b[i]) || i == start && '0' <= b[i] && b[i] <= '9' {
				b[i] = '_'
			}
		}
		closed := after - 1
		if end == closed { // use the character after the macro's parenthesis, too
			closed = after
		}
		b[end], b[closed] = '(', ')'
	}
	return string(b)
}

// qualifier matches a macro used as a type qualifier, such as FAR in "Type FAR *name".
var qualifier = regexp.MustCompile(
	`\b(\w+)[ \t]+([A-Z][A-Z0-9_]+)[ \t]*\*|(?m)^[ \t]*\}[ \t]*([A-Z][A-Z0-9_]+)[ \t]+\w+[ \t]*;`)

// withoutQualifiers replaces macros such as FAR in "Type FAR *name" by spaces.
func withoutQualifiers(text string) string {
	b := []byte(text)
	for _, m := range qualifier.FindAllStringSubmatchIndex(text, -1) {
		start, end := m[6], m[7]
		if m[2] >= 0 {
			if w := text[m[2]:m[3]]; cTags[w] || cLeads[w] || cWords[w] || w == "unsigned" || w == "signed" ||
				w[0] >= '0' && w[0] <= '9' || shouted(w) {
				continue
			}
			start, end = m[4], m[5]
		}
		Blank(b[start:end])
	}
	return string(b)
}

// Keywords of C and C++. cTags precede the name of a type, such as "struct". cLeads precede a type, such as "static".
var (
	cTypes = Set(`void char short int long float double signed unsigned bool _Bool size_t struct union enum class`)
	cTags  = Set(`struct union enum class`)
	cLeads = Set(`static extern inline const volatile register auto restrict __inline __inline__ constexpr virtual
		explicit friend typename mutable thread_local _Thread_local _Noreturn`)
	cWords = Set(`typedef return else goto case default do while for if switch break continue sizeof new delete throw
		operator template using namespace public private protected try catch co_return co_await co_yield not and or asm
		decltype typeof __attribute__ alignas import export module concept requires override final`)
)

// undecorated replaces macros such as LOCAL in "LOCAL int f" and ZEXPORT in "int ZEXPORT f()" by spaces.
func undecorated(text string) string {
	b := []byte(text)
	at := 0
	for line := range strings.Lines(text) {
		end := strings.IndexFunc(line, func(r rune) bool { return !WordRune(r) && r != ' ' && r != '\t' && r != '*' })
		if end < 0 {
			end = len(line)
		}
		head := line[:end]
		words := strings.Fields(strings.ReplaceAll(head, "*", " * "))
		first := end > 0 && head[0] != ' ' && head[0] != '\t'
		at += len(line)
		if len(words) < 2 || words[0] == "*" || cWords[words[0]] {
			continue
		}
		blank := func(from int, word string) { Blank(b[at-len(line)+from:][:len(word)]) }
		if n := len(words); n > 2 && strings.HasPrefix(line[end:], "(") && shouted(words[n-2]) && isTyped(words[:n-2]) {
			blank(strings.LastIndex(strings.TrimSuffix(strings.TrimRight(head, " \t"), words[n-1]), words[n-2]), words[n-2])
			words = append(words[:n-2], words[n-1])
		}
		from := strings.Index(head, words[0])
		for ; len(words) > 1 && isMacro(words, first); words = words[1:] {
			blank(from, words[0])
			from += len(words[0]) + strings.Index(head[from+len(words[0]):], words[1])
		}
	}
	return string(b)
}

// isMacro reports whether the first of words is a macro.
func isMacro(words []string, unindented bool) bool {
	w, next, third := words[0], words[1], ""
	if i := slices.IndexFunc(words[2:], func(w string) bool { return w != "*" }); i >= 0 {
		third = words[2+i]
	}
	switch {
	case next == "*" || cTypes[w] || cLeads[w] || cWords[w] || cWords[next]:
		return false
	case cTypes[next] || next == "static" || next == "extern" || next == "inline":
		return true
	case next == "const" || next == "volatile": // "Type const name" is valid C
		return cTypes[third] || third != words[len(words)-1]
	}
	return unindented && third != "" && !cLeads[next] && !cTypes[third] && !cLeads[third] && !cWords[third]
}

// isTyped reports whether words contains a complete type.
func isTyped(words []string) bool {
	if cTags[words[len(words)-1]] {
		return false
	}
	for i, w := range words {
		if !cLeads[w] && !(i == 0 && len(words) > 1 && shouted(w)) {
			return true
		}
	}
	return false
}

// shouted reports whether a name is in capitals, like a macro.
func shouted(name string) bool { return len(name) > 2 && strings.ToUpper(name) == name }
