package symbol

import "searchmcp/engine/lang/tree"

// literalKey reports whether an occurrence is a key of an object literal outside of functions, as language servers list
// them. It surely defines something where the literal is a variable's, or what a module exports, and no type is written
// for it; elsewhere it may be a field of a type that is defined elsewhere, and counts where nothing else has the name.
func (x *extraction) literalKey(leaf tree.Node, up []ancestor) (own, sure bool) {
	if x.l.Family != "javascript" || len(up) < 2 || up[0].kind != "pair" || up[1].kind != "object" ||
		!within(leaf, child(up[0].node, "key")) {
		return false, false
	}
	sure = true
	inner := tree.Node(nil)
	for n := up[1].node; n != nil; n = n.Parent() {
		kind := n.Type()
		switch kind {
		case "variable_declarator", "public_field_definition", "field_definition":
			sure = sure && child(n, "type") == nil
			return !x.inFunction(n), sure
		case "assignment_expression":
			if inner == nil || !within(inner, child(n, "right")) {
				return false, false
			}
		case "export_statement", "program":
			return true, sure
		case "object", "pair", "parenthesized_expression", "as_expression", "satisfies_expression", "expression_statement":
		case "call_expression":
			sure = sure && x.text(child(n, "function")) == "Object.freeze"
		case "arguments":
		default:
			if functional(kind) {
				return false, false
			}
			sure = false
		}
		inner = n
	}
	return true, sure
}

// inFunction reports whether a node stands in a function, at any distance.
func (x *extraction) inFunction(n tree.Node) bool {
	for n = n.Parent(); n != nil; n = n.Parent() {
		if functional(n.Type()) {
			return true
		}
	}
	return false
}
