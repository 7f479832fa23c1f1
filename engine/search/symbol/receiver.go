package symbol

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
)

const (
	maxChain = 3
	maxTyped = 200 // bytes before and after a name that are searched for its type
)

// receiver returns the names before an occurrence, such as "a.b" in "a.b.name", and the inferred type of the last name.
func (x *extraction) receiver(at int) (chain, typ string) {
	names := chainBefore(x.d.Text, at, x.l)
	if len(names) == 0 {
		return "", ""
	}
	chain = strings.Join(names, ".")
	last := names[len(names)-1]
	switch {
	case selfWords[last]:
		return chain, x.classAround(at)
	case strings.HasSuffix(last, ")"), last == "?":
		return chain, constructed(strings.TrimSuffix(last, "()"))
	}
	start := at // start of the outermost function, whose parameters may have types
	for _, m := range x.d.Definitions {
		if (m.Kind == chunk.KindFunction || m.Kind == chunk.KindMethod) && m.Start <= at && at < m.End {
			start = min(start, m.Start)
		}
	}
	for _, part := range [][2]int{{start, at}, {0, len(x.d.Text)}} {
		key, known := fmt.Sprint(last, part[0]), false
		if typ, known = x.receivers[key]; !known {
			typ = typeOf(x.d.Text[part[0]:part[1]], last, x.l)
			x.receivers[key] = typ
		}
		if typ != "" {
			break
		}
	}
	return chain, typ
}

// selfWords are the words that refer to the current object or type.
var selfWords = lang.Set("this self Self cls @ $this static")

// classAround returns the type that contains the member around an offset.
func (x *extraction) classAround(at int) string {
	best := x.innermost(at)
	path := best.Path()
	for i, name := range slices.Backward(path) {
		around := false
		for _, m := range x.d.Definitions {
			if m.Name != name || at < m.Start || m.End <= at {
				continue
			}
			switch m.Kind {
			case "namespace":
				return ""
			case chunk.KindFunction, chunk.KindMethod, chunk.KindValue:
				around = true
			default:
				return lang.Generic(name)
			}
		}
		if !around && i < len(path)-1 { // a member defined outside of its type
			return lang.Generic(name)
		}
	}
	return lang.Generic(best.Owner())
}

// chainBefore returns the names before an occurrence, such as "a" and "b" for "name" in "a.b.name".
func chainBefore(text string, at int, l *lang.Language) []string {
	var names []string
	for len(names) < maxChain {
		i, ok := operatorBefore(text, at, l)
		if !ok {
			break
		}
		if i < 0 {
			names = append(names, "@")
			break
		}
		at = len(strings.TrimRight(text[:i], " \t\r\n"))
		name, start := nameBefore(text, at)
		names = append(names, name)
		if name == "?" || name == "()" {
			break
		}
		at = start
	}
	slices.Reverse(names)
	return names
}

// operatorBefore returns the offset of the operator before a member, such as "." or "->". For "@name" in Ruby, start is
// -1, because the receiver is the current object.
func operatorBefore(text string, at int, l *lang.Language) (start int, ok bool) {
	if at > 0 && l.Self == text[at-1:at] {
		return -1, true
	}
	if at > 0 && text[at-1] == '$' { // Foo::$bar
		return at - 3, strings.HasSuffix(text[:at-1], "::")
	}
	i := len(strings.TrimRight(text[:at], " \t\r\n"))
	head := text[:i]
	if nl := strings.IndexByte(text[i:at], '\n'); nl >= 0 { // ignore an operator in a comment
		line := strings.TrimSpace(head[strings.LastIndexByte(head, '\n')+1:])
		if strings.Contains(line, "//") || strings.ContainsAny(line[:min(len(line), 1)], "#*-;%") ||
			strings.HasSuffix(line, ":") || strings.HasPrefix(line, "/*") || strings.Contains(line, " # ") ||
			!strings.ContainsAny(line, "()[]{}=") && strings.Contains(line, " ") {
			return 0, false
		}
	}
	for _, op := range []string{"?.", "!!.", "&.", "?->", "->", "::", "."} {
		if !strings.HasSuffix(head, op) || op == "." && strings.Contains(l.Signs, op) ||
			op == "->" && !l.Arrow || op == "::" && l.Slices {
			continue
		}
		begin := i - len(op)
		return begin, op != "." || begin > 0 && !strings.HasSuffix(head, "..")
	}
	return i - 1, l.Operator != "" && strings.HasSuffix(head, l.Operator)
}

// nameBefore returns the name that ends at an offset, and its start. The name is "name()" for a call, "()" for brackets
// without a name, and "?" for other expressions.
func nameBefore(text string, at int) (string, int) {
	if at <= 0 {
		return "?", 0
	}
	switch text[at-1] {
	case ')', ']', '}', '>':
		depth := 0
		for i := at - 1; i >= max(0, at-400); i-- {
			switch text[i] {
			case ')', ']', '}', '>':
				if text[i] == '>' && i > 0 && (text[i-1] == '-' || text[i-1] == '=') {
					continue
				}
				depth++
			case '(', '[', '{', '<':
				if depth--; depth == 0 {
					name, start := nameBefore(text, len(strings.TrimRight(text[:i], " \t!")))
					switch {
					case name == "?":
						return "()", i
					case text[at-1] == '>' || text[at-1] == ']':
						return cmp.Or(strings.TrimSuffix(name, "()"), "()"), start
					}
					return strings.TrimSuffix(name, "()") + "()", start
				}
			}
		}
		return "?", at
	case '!', '?':
		return nameBefore(text, at-1)
	}
	i := len(strings.TrimRightFunc(text[:at], func(r rune) bool { return lang.WordRune(r) || r == '$' }))
	if i == at {
		return "?", at
	}
	return text[i:at], i
}

// occurrences calls f for each occurrence of name before a match of suffix. One expression for both would be slower.
func occurrences(text, name string, limit int, suffix *regexp.Regexp, f func(at int, m []int)) {
	for from, n := 0, 0; n < limit; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return
		}
		at := from + i
		from = at + len(name)
		if from < len(text) && lang.WordByte(text[from]) {
			continue
		}
		m := suffix.FindStringSubmatchIndex(text[from:min(len(text), from+maxTyped)])
		if m == nil {
			continue
		}
		n++
		for i := range m {
			m[i] += from
		}
		f(at, m)
	}
}

// noType lists keywords and built-in types, which are not recognised as types of a name.
var noType = lang.Set(`return new else in case throw throws var let val const final auto public private protected
	static struct class enum await yield delete typeof instanceof and or not if while for do is as import package func
	function def string int bool any None null nil true false await async mut ref out unsigned signed long short char
	void extern goto break continue range go defer select switch map chan namespace using`)

// wrappers lists generic types that are replaced by their type argument, such as "Optional<Cart>" by "Cart".
var wrappers = lang.Set(`Optional Option Arc Rc Box Vec List Array Promise Readonly Ref RefCell Mutex RwLock Cell Cow
	Pin Weak Iterable Iterator Sequence Type ClassVar Final Annotated shared_ptr unique_ptr weak_ptr vector optional
	Awaitable Future Exclude Extract Partial Required Pick Omit NonNullable Set Map WeakMap WeakSet Iter Union`)

// typeOf infers the type of a name from the last declaration or constructor in text.
func typeOf(text, name string, l *lang.Language) string {
	found, at := "", -1
	take := func(here, start, end int) {
		if here < at {
			return
		}
		word := text[start:end]
		if wrappers[word] {
			if inner := insideWrapper.FindStringSubmatch(text[end:min(len(text), end+60)]); inner != nil {
				word = inner[1]
			}
		}
		if !noType[word] && word != name {
			found, at = word, here
		}
	}
	const most = 50
	switch l.Type {
	case lang.TypeNext, lang.TypeColon:
		occurrences(text, name, most, typesAfter[l.Type], func(here int, m []int) {
			if alone(text, here) && (l.Type == lang.TypeColon || beforeGoType.MatchString(text[max(0, here-60):here])) {
				take(here, m[2], m[3])
			}
		})
	case lang.TypeBefore:
		occurrences(text, name, most, closes, func(here int, _ []int) {
			from := max(0, here-maxTyped)
			if m := typedBefore.FindStringSubmatchIndex(strings.TrimSuffix(text[from:here], "$")); m != nil {
				take(here, from+m[2], from+m[3])
			}
		})
	}
	occurrences(text, name, most, typeAssigned, func(here int, m []int) {
		if here < at || !alone(text, here) {
			return
		}
		made := text[m[4]:m[5]]
		isNew := strings.Contains(text[m[2]:m[3]], "new")
		switch t := constructedBy(made, isNew || m[6] < m[7]); {
		case t != "":
			found, at = t, here
		case m[6] < m[7] && at < 0:
			found = "" // a call's result has an unknown type
		}
	})
	return found
}

// alone reports whether the name at an offset is neither a member nor part of a longer name.
func alone(text string, at int) bool {
	if at > 0 && text[at-1] == '$' {
		at--
	}
	return at == 0 || !lang.WordByte(text[at-1]) && text[at-1] != '.'
}

// These expressions match the type before or after a name.
var (
	typesAfter = map[lang.TypePlace]*regexp.Regexp{
		lang.TypeColon: regexp.MustCompile(
			`^[?!]?\s*:\s*[&*'"]*(?:'?\w+\s+)?(?:mut\s+|dyn\s+|impl\s+)*(?:\w+(?:\.|::))*([A-Za-z_]\w*)`),
		lang.TypeNext: regexp.MustCompile(
			`^(?:,[ \t]*\w+)*[ \t]+(?:\.\.\.)?(?:\[\])?\*?(?:\w+\.)?([\pL_][\pL\pN_]*)`)}
	beforeGoType = regexp.MustCompile(`(?:[(,]|var)[ \t]*$`)
	closes       = regexp.MustCompile(`^\s*[;=,):{\[]`)
	typedBefore  = regexp.MustCompile(`(?:^|[^\w.])([A-Za-z_]\w*)(?:<[^;(){}]*>)?(?:\[\])?[\s*&?]+$`)
	typeAssigned = regexp.MustCompile(`^(?:\s*:=|\s*=|,\s*\w+\s*:?=)\s*((?:await\s+|new\s+|&|\*)*)` +
		`((?:[A-Za-z_]\w*(?:\.|::|->))*[A-Za-z_]\w*)(?:<[^<>(){}]*>)?\s*([({]?)`)
	insideWrapper = regexp.MustCompile(`^[<\[(]\s*(?:[&'"]*)(?:\w+(?:\.|::))*([A-Za-z_]\w*)`)
)

// constructedBy returns the type that an expression such as "Foo(…)", "pkg.Foo{…}", "Foo::new(…)" or "NewFoo(…)"
// constructs.
func constructedBy(expression string, called bool) string {
	parts := strings.FieldsFunc(expression, func(r rune) bool { return r == '.' || r == ':' || r == '-' || r == '>' })
	n := len(parts)
	switch {
	case n > 1 && lang.Upper(parts[n-2]) && makers[parts[n-1]]:
		return parts[n-2]
	case n == 0 || !called:
		return ""
	}
	return constructed(parts[n-1])
}

// makers are names of functions that construct a value, as in "Foo.create()".
var makers = lang.Set("new default from create getInstance shared of")

// constructed returns the type in the name of a constructor: "Foo" for "NewFoo" or "make_Foo".
func constructed(name string) string {
	for _, p := range []string{"New", "new", "Make", "make", "Create", "create", "new_", "make_", "create_"} {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "" && lang.Upper(rest) {
			return rest
		}
	}
	if lang.Upper(name) && strings.ToUpper(name) != name {
		return name
	}
	return ""
}
