package lang

import (
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/lang/tree"
)

// macros matches macros that the grammar takes for a type or a name: alone on a line, between "class" and the class's
// name, or at the beginning of a line if their names suggest visibility or linkage.
var macros = regexp.MustCompile(`(?m)^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([\w, ."]*\))?)[ \t]*\r?$` +
	`|\b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([\w, ."]*\))?)[ \t]+[A-Za-z_]` +
	`|^[ \t]*(?:template[ \t]*<[^<>\n]*>[ \t]*)?(?:static[ \t]+|extern[ \t]+)?([A-Z][A-Z0-9_]*_(?:API|EXPORTS?|IMPORT|PUBLIC|PRIVATE|HIDDEN|LOCAL|INLINE|FORCEINLINE|CONSTEXPR\d*|DECL|DLL|NODISCARD|NORETURN|COLD|FUNC|DEF|EXTERN)(?:\([\w, ."]*\))?)[ \t]+[A-Za-z_]`)

// blanking returns a function that blanks the groups of an expression in a text and preserves all offsets.
func blanking(groups *regexp.Regexp) func(string) string {
	return func(text string) string {
		b := []byte(text)
		for _, m := range groups.FindAllStringSubmatchIndex(text, -1) {
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 && !listed(text, m[g], m[g+1]) {
					Blank(b[m[g]:m[g+1]])
				}
			}
		}
		return string(b)
	}
}

// listed reports whether a name alone on its line is an element of a list, such as an enumerator.
func listed(text string, start, end int) bool {
	return strings.HasSuffix(strings.TrimRight(text[:start], " \t\r\n"), ",") ||
		strings.HasPrefix(strings.TrimLeft(text[end:], " \t\r\n"), "}")
}

// cMacro returns a macro's name. It skips include guards, which have no value and whose condition repeats the name.
func cMacro(r *Reading, it tree.Node) []Ident {
	out := named(r, it)
	if len(out) > 0 && it.ChildByFieldName("value") == nil &&
		r.text(it.Parent().ChildByFieldName("name")) == out[0].Name {
		return nil
	}
	return out
}

// declared returns the names in C's declarators.
func declared(r *Reading, it tree.Node) []Ident {
	var out []Ident
	value := it.ChildByFieldName("default_value")
	for k := range r.kids(it) {
		d := it.ChildByFieldName("declarator")
		if t := k.Type(); k == value || !isDeclarator(k) ||
			(t == "type_identifier" || t == "qualified_identifier") && (d == nil || d.StartByte() > k.StartByte()) {
			continue // a value or type
		}
		if n := r.declarator(k); n != nil {
			id := r.ident(n).qualified("::")
			id.Name = Generic(id.Name)
			if op := r.ident(n).Name; strings.Contains(op, "operator") {
				id.Name = op[strings.LastIndex(op, "operator"):]
				id.At = int(n.StartByte()) + strings.LastIndex(op, "operator")
			}
			out = append(out, id)
		}
	}
	return out
}

var declaratorNames = []string{"identifier", "field_identifier", "type_identifier",
	"qualified_identifier", "operator_name",
	"destructor_name", "operator_cast"}

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
