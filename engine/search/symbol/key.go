package symbol

import (
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

// keyed is the type of the object whose key a name is: of a literal by what it is given to, of a pattern by what it
// takes apart. holder is the node that lists the keys; nil without one.
func (x *extraction) keyOf(up []ancestor) Expr {
	for i, a := range up[:min(len(up), 3)] {
		switch a.kind {
		case "object":
			return x.told(a.node, x.expected(a.node, up[i+1:], 0))
		case "object_pattern":
			return x.takenApart(a.node)
		case "initializer_list":
			return x.expected(a.node, up[i+1:], 0)
		}
	}
	return nil
}

// told adds the keys of a literal that tell which of several types it has: kind: 'circle'.
func (x *extraction) told(object tree.Node, e Expr) Expr {
	for i := range min(int(object.NamedChildCount()), 8) {
		p := object.NamedChild(i)
		if p.Type() != "pair" {
			continue
		}
		if k, v := child(p, "key"), child(p, "value"); k != nil && v != nil && v.Type() == "string" && len(e) > 0 {
			return e.step("?" + x.text(k) + "=" + strings.Trim(x.text(v), "'\"`"))
		}
	}
	return e
}

// takenApart is the type of what a pattern stands for.
func (x *extraction) takenApart(n tree.Node) Expr {
	up := climb(n)
	declaring, ok := declaration(n, up, x.d.Language)
	if !ok {
		for _, a := range up[:min(len(up), 2)] {
			if a.kind == "assignment_expression" && !within(n, child(a.node, "right")) {
				return x.infer(child(a.node, "right"), 0)
			}
		}
		return nil
	}
	return x.bound(&binding{at: int(n.StartByte()), leaf: n, up: up, declaring: declaring}, "", int(n.StartByte()), 0)
}

// expected is the type that is expected of an expression where it stands.
func (x *extraction) expected(n tree.Node, up []ancestor, depth int) Expr {
	if depth > maxInfer || len(up) == 0 {
		return nil
	}
	depth++
	a := up[0]
	switch a.kind {
	case "parenthesized_expression", "ternary_expression", "binary_expression", "initializer_pair", "await_expression":
		return x.expected(a.node, up[1:], depth)
	case "init_declarator":
		if len(up) > 1 {
			return typed(x.typeOfNode(up[1].node, n))
		}
	case "variable_declarator", "public_field_definition", "required_parameter", "optional_parameter", "field_definition",
		"declaration", "field_declaration":
		return typed(x.typeOfNode(a.node, n))
	case "as_expression", "satisfies_expression":
		return typed(x.text(child(a.node, "1")))
	case "compound_literal_expression":
		return typed(x.text(child(a.node, "type")))
	case "return_statement", "arrow_function":
		return x.promised(up)
	case "assignment_expression":
		if within(n, child(a.node, "right")) {
			return x.infer(child(a.node, "left"), 0)
		}
	case "pair":
		if k := child(a.node, "key"); k != nil && len(up) > 1 && up[1].kind == "object" {
			return x.expected(up[1].node, up[2:], depth).step("." + strings.Trim(x.text(k), `'"`))
		}
	case "array", "initializer_list":
		return x.expected(a.node, up[1:], depth).step("[]")
	case "arguments":
		if len(up) < 2 {
			return nil
		}
		k := place(a.node, n)
		switch call := up[1]; call.kind {
		case "call_expression":
			return x.infer(child(call.node, "function"), 0).step("(" + digit(k))
		case "new_expression":
			return x.infer(child(call.node, "constructor"), 0).step("(" + digit(k))
		}
	}
	return nil
}

// promised is the type that the function around a place says it returns.
func (x *extraction) promised(up []ancestor) Expr {
	for i, a := range up {
		if !functional(a.kind) {
			continue
		}
		if t := child(a.node, "return_type"); t != nil {
			return typed(strings.TrimLeft(x.text(t), ": "))
		}
		if a.kind == "arrow_function" || a.kind == "function_expression" {
			return x.expected(a.node, up[i+1:], 1).step("()")
		}
		return nil
	}
	return nil
}

// patternKey reports whether an occurrence is the key in a pattern of JavaScript that gives its value another name.
func patternKey(leaf tree.Node, up []ancestor) bool {
	return len(up) > 1 && up[0].kind == "pair_pattern" && up[1].kind == "object_pattern" &&
		within(leaf, child(up[0].node, "key"))
}
