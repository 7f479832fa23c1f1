package symbol

import (
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

// Bounds, in bytes: how much of a condition is searched for what it says of a type, and the name of what has it.
const (
	maxCondition = 400
	maxNarrowed  = 80
)

// instanceOf are the families of languages that ask for a type so.
var instanceOf = wordSet("javascript java php")

// narrowed is the type that a condition around a use says its variable or field has: isinstance(name, Type) in Python,
// name instanceof Type in JavaScript, Java and PHP; "" if none does.
func (x *extraction) narrowed(n tree.Node, name string) string {
	python := x.d.Language == "python"
	if len(name) > maxNarrowed || !python && !instanceOf[family(x.d.Language)] {
		return ""
	}
	inner, p := n, n.Parent()
	for range layers {
		if p == nil || functional(p.Type()) {
			break
		}
		if t := narrowing(x.text(conditionOf(p, inner, python)), name, python); t != "" {
			return t
		}
		inner, p = p, p.Parent()
	}
	return ""
}

// conditionOf is what holds where one of a node's parts is reached, nil if the node says nothing of it.
func conditionOf(p, inner tree.Node, python bool) tree.Node {
	var condition tree.Node
	switch kind := p.Type(); kind {
	case "if_statement", "elif_clause", "while_statement", "ternary_expression", "conditional_expression":
		condition = child(p, "condition")
		if python && kind == "conditional_expression" { // value if condition else other
			condition = child(p, "1")
		}
		if !within(inner, child(p, "consequence|body|0")) {
			return nil
		}
	case "boolean_operator", "binary_expression": // a type is asked for on the left
		condition = child(p, "left")
	}
	if within(inner, condition) {
		return nil
	}
	return condition
}

// narrowing is the type that a condition says a variable has, "" if it does not, or the contrary.
func narrowing(condition, name string, python bool) string {
	condition = condition[:min(len(condition), maxCondition)]
	if !strings.Contains(condition, "instance") || strings.Contains(condition, "||") ||
		strings.Contains(condition, " or ") {
		return ""
	}
	if !python {
		before, rest, ok := strings.Cut(condition, name+" instanceof ")
		if !ok || strings.Contains(before, "!") || before != "" && wordRune(rune(before[len(before)-1])) {
			return ""
		}
		return typeName.FindString(strings.TrimLeft(rest, ` \(`))
	}
	before, rest, ok := strings.Cut(condition, "isinstance("+name+",")
	if !ok || strings.HasSuffix(strings.TrimSpace(before), "not") {
		return ""
	}
	rest = strings.TrimSpace(rest)
	if !strings.HasPrefix(rest, "(") {
		return typeName.FindString(rest)
	}
	rest, _, _ = strings.Cut(rest[1:], ")")
	return strings.Join(typeName.FindAllString(rest, 8), " | ")
}

// lookedUp reports whether an occurrence in a string names a member of a type of TypeScript, Type['name'], and lays it
// out.
func (x *extraction) lookedUp(leaf tree.Node, at int, r *Reference) bool {
	if x.d.Language != "typescript" && x.d.Language != "tsx" {
		return false
	}
	if int(leaf.StartByte()) != at || int(leaf.EndByte()) != at+len(x.name) {
		return false
	}
	up := climb(leaf)
	if len(up) < 3 || up[0].kind != "string" || up[1].kind != "literal_type" || up[2].kind != "lookup_type" {
		return false
	}
	of := child(up[2].node, "0")
	if within(leaf, of) {
		return false
	}
	r.Receiver = "?"
	if x.text(of) == "this" {
		r.Expr = x.own(of)
	} else {
		r.Expr = typed(x.text(of))
	}
	if len(r.Expr) == 1 {
		r.Type = x.plainType(r.Expr[0])
	}
	return true
}
