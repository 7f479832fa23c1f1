package chunk

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

// cRules are what C and C++ share.
func cRules() rules {
	return rules{
		"comment":                               comment,
		"preproc_include preproc_call":          header,
		"preproc_def":                           value(cMacro),
		"preproc_function_def":                  value(named),
		"preproc_ifdef preproc_if preproc_else": within,
		"preproc_elif preproc_elifdef":          within,
		"linkage_specification":                 within,
		"declaration_list":                      within,
		"struct_specifier union_specifier":      scope(withBody(typeName)),
		"enum_specifier":                        scope(withBody(typeName)),
		"enumerator_list":                       within,
		"enumerator":                            value(named),
		"type_definition":                       {kind: kindValue, names: declared, inside: true},
		"declaration":                           {kind: kindValue, names: declared, inside: true},
		"function_definition":                   function(declared),
	}
}

func cGrammar(l tree.Language) *grammar {
	g := newGrammar(l, cRules())
	g.prepare = withoutMacros
	g.retry = []func(string) (string, int){oneBranch(true), oneBranch(false)}
	return g
}

// macros matches what a preprocessor would have taken away and a grammar takes for a type or a name: a macro alone
// on its line, one between class and name, and at the beginning of a line one that is called as those for
// visibility and linkage are.
var macros = regexp.MustCompile(`(?m)^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([\w, ."]*\))?)[ \t]*\r?$` +
	`|\b(?:class|struct|union|enum)[ \t]+([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([\w, ."]*\))?)[ \t]+[A-Za-z_]` +
	`|^[ \t]*(?:template[ \t]*<[^<>\n]*>[ \t]*)?(?:static[ \t]+|extern[ \t]+)?([A-Z][A-Z0-9_]*_(?:API|EXPORTS?|IMPORT|PUBLIC|PRIVATE|HIDDEN|LOCAL|INLINE|FORCEINLINE|CONSTEXPR\d*|DECL|DLL|NODISCARD|NORETURN|COLD|FUNC|DEF|EXTERN)(?:\([\w, ."]*\))?)[ \t]+[A-Za-z_]`)

// blanking blanks the groups of an expression in a text, so that every offset stays.
func blanking(groups *regexp.Regexp) func(string) string {
	return func(text string) string {
		b := []byte(text)
		for _, m := range groups.FindAllStringSubmatchIndex(text, -1) {
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 && !listed(text, m[g], m[g+1]) {
					blank(b[m[g]:m[g+1]])
				}
			}
		}
		return string(b)
	}
}

// listed reports whether a name alone on its line is one of a list: an enumerator and no macro.
func listed(text string, start, end int) bool {
	return strings.HasSuffix(strings.TrimRight(text[:start], " \t\r\n"), ",") ||
		strings.HasPrefix(strings.TrimLeft(text[end:], " \t\r\n"), "}")
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

func cppGrammar(l tree.Language) *grammar {
	rs := cRules()
	maps.Copy(rs, rules{
		"namespace_definition":                        scope(elsewhere(parted("::"))), // it is opened in many files
		"template_declaration":                        shell,
		"class_specifier":                             scope(withBody(typeName)),
		"field_declaration_list":                      within,
		"field_declaration":                           valueWithin(declared),
		"alias_declaration concept_definition":        value(named),
		"namespace_alias_definition":                  value(named),
		"preproc_include preproc_call":                header,
		"attribute_declaration":                       attribute,
		"access_specifier":                            attribute,
		"using_declaration static_assert_declaration": {},
	})
	g := newGrammar(l, rs)
	g.prepare = withoutMacros
	g.retry = []func(string) (string, int){oneBranch(true), oneBranch(false)}
	return g
}

// cMacro leaves out the guards against including a header twice: they have no value.
func cMacro(s *syntax, it *item) []ident {
	if it.node.ChildByFieldName("value") == nil {
		return nil
	}
	return named(s, it)
}

// typeName is the field "name" without its arguments, split at "::".
var typeName = changed(parted("::"), func(_ *item, id *ident) { id.name = generic(id.name) })

// declared gives the names that C's declarators hold.
func declared(s *syntax, it *item) []ident {
	var out []ident
	for _, k := range s.kids(it) {
		if !k.named {
			continue
		}
		t := k.node.Type()
		if !strings.HasSuffix(t, "declarator") && !slices.Contains(declaratorNames, t) {
			continue
		}
		if (t == "type_identifier" || t == "qualified_identifier") && !s.declares(it.node, k.node) {
			continue
		}
		if n := s.declarator(k.node); n != nil {
			id := s.ident(n).qualified("::")
			id.name = generic(id.name)
			if op := s.ident(n).name; strings.Contains(op, "operator") {
				id.name = op[strings.LastIndex(op, "operator"):]
				id.at = int(n.StartByte()) + strings.LastIndex(op, "operator")
			}
			out = append(out, id)
		}
	}
	return out
}

var declaratorNames = []string{"identifier", "field_identifier", "type_identifier",
	"qualified_identifier", "operator_name",
	"destructor_name", "operator_cast"}

// declares reports whether child is the node's declarator and not its type.
func (s *syntax) declares(n, child tree.Node) bool {
	d := n.ChildByFieldName("declarator")
	return d != nil && d.StartByte() <= child.StartByte()
}

// declarator goes down to the name.
func (s *syntax) declarator(n tree.Node) tree.Node {
	for range maxDepth {
		if slices.Contains(declaratorNames, n.Type()) {
			return n
		}
		next := n.ChildByFieldName("declarator")
		if next == nil {
			next = s.declaratorChild(n)
		}
		if next == nil {
			return nil
		}
		n = next
	}
	return nil
}

func (s *syntax) declaratorChild(n tree.Node) tree.Node {
	for i := range min(int(n.NamedChildCount()), fewParts) {
		c := n.NamedChild(i)
		if t := c.Type(); strings.HasSuffix(t, "declarator") || slices.Contains(declaratorNames, t) {
			return c
		}
	}
	return nil
}
