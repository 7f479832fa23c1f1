package lang

import (
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/lang/tree"
)

// replacing returns a function that overwrites the groups of an expression with word and spaces, so that no offset
// changes. A group that is an opening brace includes the block. If scope is "macro", the expression applies to each
// line with capitals, and if scope is "leading", also to lines that begin with a letter.
func replacing(groups *Pattern, word, scope string) func(string) string {
	return func(text string) string {
		b, at, parts := []byte(text), 0, []string{text}
		if scope != "blank" {
			parts = strings.SplitAfter(text, "\n")
		}
		for _, part := range parts {
			letter := scope == "leading" && part != "" && 'a' <= part[0] && part[0] <= 'z'
			if scope != "blank" && !letter && (!capitals(part) || scope == "leading" && part[0] == '#') {
				at += len(part)
				continue
			}
			for _, m := range groups.FindAllStringSubmatchIndex(part) {
				for g := 2; g < len(m); g += 2 {
					start, end := at+m[g], at+m[g+1]
					if m[g] < 0 || scope != "blank" && listed(text, start, end) {
						continue
					}
					if text[start:end] == "{" {
						end = max(end, Closing(text, end)+1)
					}
					Blank(b[start:end])
					copy(b[start:], word)
				}
			}
			at += len(part)
		}
		return string(b)
	}
}

// capitals reports whether a line contains two capitals in a row.
func capitals(line string) bool {
	run := 0
	for _, c := range []byte(line) {
		if run++; c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			run = 0
		}
		if run > 1 {
			return true
		}
	}
	return false
}

// listed reports whether a name alone on its line is an element of a list, such as an enumerator.
func listed(text string, start, end int) bool {
	before, after := strings.TrimRight(text[:start], " \t"), strings.TrimLeft(text[end:], " \t\r")
	return strings.HasSuffix(before, "\n") && strings.HasPrefix(after, "\n") &&
		(strings.HasSuffix(strings.TrimRight(before, " \t\r\n"), ",") ||
			strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), "}"))
}

// cMacro returns a macro's name. It skips include guards.
func cMacro(r *Reading, it tree.Node) []Ident {
	out := named(r, it)
	if len(out) > 0 && it.ChildByFieldName("value") == nil &&
		r.text(it.Parent().ChildByFieldName("name")) == out[0].Name {
		return nil
	}
	return out
}

// declared returns the names in C declarators, such as f in "int *f(void)".
func declared(r *Reading, it tree.Node) []Ident {
	var out []Ident
	value := it.ChildByFieldName("default_value")
	for k := range r.kids(it) {
		d := it.ChildByFieldName("declarator")
		if t := k.Type(); k == value || !isDeclarator(k) ||
			(t == "type_identifier" || t == "qualified_identifier") && (d == nil || d.StartByte() > k.StartByte()) {
			continue // a default value or a type
		}
		if n := r.declarator(k); n != nil {
			whole := r.ident(n)
			if k == n && it.ChildByFieldName("type").ChildByFieldName("body") != nil && it.Type() == "declaration" &&
				strings.ToUpper(whole.Name) == whole.Name { // an attribute, as in "struct a { int b; } PACKED;"
				continue
			}
			id := whole.qualified("::")
			id.Name = Generic(id.Name)
			if i := strings.LastIndex(whole.Name, "operator"); i >= 0 {
				id.Name, id.At = whole.Name[i:], whole.At+i
			}
			out = append(out, id)
		}
	}
	return out
}

var declaratorNames = []string{"identifier", "field_identifier", "type_identifier", "qualified_identifier",
	"operator_name", "destructor_name", "operator_cast"}

func isDeclarator(n tree.Node) bool {
	return strings.HasSuffix(n.Type(), "declarator") || slices.Contains(declaratorNames, n.Type())
}

func (r *Reading) declarator(n tree.Node) tree.Node {
	for range MaxDepth {
		if n == nil || slices.Contains(declaratorNames, n.Type()) {
			return n
		}
		next := n.ChildByFieldName("declarator")
		for c := n.FirstChild(); c != nil && next == nil; c = c.NextSibling() {
			if isDeclarator(c) {
				next = c
			}
		}
		n = next
	}
	return nil
}

// madeFunction matches a macro that defines a function, such as SYSCALL_DEFINE1(read, int, fd) {.
var (
	madeFunction = regexp.MustCompile(`^(?:[ \t]*(?:TEST|BOOST_|SCENARIO))?[A-Z][A-Z0-9_]*[ \t]*` +
		`\(\s*(?:"([^",()\n]+)(?:,[^"()\n]*)?"|([\pL_][\pL\pN_]*))\s*(?:,\s*([\pL_][\pL\pN_]*)\s*)?` +
		`(?:,[^()\n]*(?:\n[^()\n]*)?)?\)([ \t\r\n])\s*\{`)
	ofClass = regexp.MustCompile(`^\s*(?:(?:TYPED_)?TEST(?:_[FPG])?|[A-Z0-9_]*_METHOD)[ \t]*\(`)
)

// madeFunctions rewrites macros that define functions as C functions, without changing offsets. An argument of the
// macro is the function's name.
func madeFunctions(text string) string {
	all, at := []byte(text), 0
	for line := range strings.Lines(text) {
		part, b := text[at:min(len(text), at+1<<10)], all[at:] // matching in the whole text takes three times as long
		at += len(line)
		var m []int
		if capitals(line) && strings.Contains(line, "(") {
			m = madeFunction.FindStringSubmatchIndex(part)
		}
		if m == nil {
			continue
		}
		name := Group(m)
		if m[6] >= 0 && (m[2] >= 0 || ofClass.MatchString(part[:m[1]])) {
			name = m[6:]
		}
		start, end, after := name[0], name[1], m[8]
		if start < len("void ") || strings.ContainsRune(part[start:end], '\\') {
			continue
		}
		Blank(b[:start])
		Blank(b[end:after])
		copy(b, "void")
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
	return string(all)
}
