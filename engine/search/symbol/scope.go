package symbol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

// pattern reports whether a type of node may be between a name and the node that declares it.
func pattern(kind string) bool {
	return hasAny(kind, "pattern", "declarator", "expression_list", "identifier_list", "variable_name", "tuple",
		"designation", "attribute_declaration", "parameter")
}

// hasAny reports whether one of some parts stands in a text.
func hasAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// declares reports whether an occurrence declares a parameter or variable of a function, and where that is visible:
// the whole function, as if nobody shadowed a name half way.
func declares(leaf tree.Node, up []ancestor, language string) (scope, bool) {
	i, ok := declaration(leaf, up, language)
	if !ok {
		return scope{}, false
	}
	s, ok := function(up[i:], language)
	if k := up[i].kind; !ok && (strings.HasSuffix(k, "parameter_declaration") || k == "required_parameter" ||
		k == "optional_parameter") {
		// of a prototype
		return scope{int(leaf.StartByte()), int(leaf.EndByte())}, true
	}
	return s, ok
}

// declaration is which of the nodes above an occurrence declares it as a parameter or variable.
func declaration(leaf tree.Node, up []ancestor, language string) (at int, ok bool) {
	for i, a := range up {
		if lang.Declaring[a.kind] || a.kind == "assignment_expression" && language == "php" ||
			a.kind == "type_switch_statement" {
			for _, f := range lang.ValueFields {
				if f == "condition" && a.kind != "for_expression" {
					continue
				}
				if within(leaf, a.node.ChildByFieldName(f)) {
					return 0, false
				}
			}
			if a.kind == "type_switch_statement" && !within(leaf, a.node.ChildByFieldName("alias")) {
				return 0, false
			}
			if a.kind == "assignment" && language == "python" && i > 0 && up[0].kind == "attribute" {
				return 0, false
			}
			return i, true
		}
		if !pattern(a.kind) || a.kind == "tuple_struct_pattern" && within(leaf, a.node.ChildByFieldName("type")) {
			return 0, false
		}
	}
	return 0, false
}

// defaulted reports whether an occurrence stands in the default value of a parameter, which sees none of the function.
func defaulted(leaf tree.Node, up []ancestor) bool {
	for _, a := range up {
		if strings.HasSuffix(a.kind, "parameter") && (within(leaf, a.node.ChildByFieldName("value")) ||
			within(leaf, a.node.ChildByFieldName("default_value"))) {
			return true
		}
		if functional(a.kind) {
			return false
		}
	}
	return false
}

// function is the nearest function around a declaration: none at the top of a file or in a class.
func function(up []ancestor, language string) (scope, bool) {
	n := up[0].node
	for range 4 * maxClimb {
		kind := n.Type()
		if functional(kind) {
			return scope{int(n.StartByte()), int(n.EndByte())}, true
		}
		if strings.HasPrefix(kind, "class_body") || kind == "class_definition" && language == "python" {
			return scope{}, false
		}
		if n = n.Parent(); n == nil {
			return scope{}, false
		}
	}
	return scope{}, false
}

// functional reports whether a type of node is a function's, whatever it is called.
func functional(kind string) bool {
	return kind == "function_type" ||
		!hasAny(kind, "call", "invocation", "name", "parameter", "declarator", "modifier", "type") &&
			hasAny(kind, "function", "method", "lambda", "closure", "func_literal", "constructor_declaration", "accessor",
				"init_declaration", "do_block", "comprehension", "generator_expression", "secondary_constructor")
}

// upper reports whether a name begins as types are named.
func upper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// textual reports whether a leaf's type is that of comments and strings.
func textual(kind string) bool {
	return hasAny(kind, "comment", "string", "heredoc", "regex", "char", "text", "quoted", "content", "sigil", "str_")
}
