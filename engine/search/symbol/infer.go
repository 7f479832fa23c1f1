package symbol

import (
	"regexp"
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

// Expr is the type of an expression as far as one file's syntax says it: a root and steps from it, which only other
// files can follow. The root is "T" and a type as it is written, "V" and a name that the function around does not
// declare, "B" and a type and such a name, a member of the type perhaps, or "M" and a module of JavaScript by its
// path. A step is ".name" for a member, "()" for what a call gives (of several results "()1" the second), "[]" for an
// element, "^" for what the type inherits from, and "(0" for the type of a parameter.
type Expr []string

// The roots of an Expr.
const (
	typeRoot   = "T"
	valueRoot  = "V"
	bareRoot   = "B"
	moduleRoot = "M"
)

// literalType is the type of an object literal, which has no name.
const literalType = "object"

const (
	maxInfer = 10  // expressions within another
	maxSteps = 8   // of an Expr
	maxTyped = 300 // bytes of a type as it is written
)

func (e Expr) step(s string) Expr {
	if len(e) == 0 || len(e) > maxSteps {
		return nil
	}
	return append(append(make(Expr, 0, len(e)+1), e...), s)
}

func typed(text string) Expr {
	if text = strings.TrimSpace(text); text == "" || len(text) > maxTyped {
		return nil
	}
	return Expr{typeRoot + text}
}

// parts reads a table of types of nodes with the fields of a part, as child takes them; twoParts one of two parts each.
func parts(table string) map[string]string {
	m := map[string]string{}
	for entry := range strings.FieldsSeq(table) {
		kind, fields, _ := strings.Cut(entry, "=")
		m[kind] = fields
	}
	return m
}

func twoParts(table string) map[string][2]string {
	m := map[string][2]string{}
	for kind, fields := range parts(table) {
		first, second, _ := strings.Cut(fields, ",")
		m[kind] = [2]string{first, second}
	}
	return m
}

// memberNodes are the types of nodes that reach a member: the fields of object and of name, with further choices behind
// |.
var memberNodes = twoParts(`selector_expression=operand,field member_expression=object,property
	attribute=object,attribute field_expression=argument|value,field field_access=object,field
	member_access_expression=expression|object,name nullsafe_member_access_expression=object,name
	dot_index_expression=table,field scoped_identifier=path,name qualified_identifier=scope,name
	scoped_property_access_expression=scope,name qualified_type=package,name nested_type_identifier=module,name
	method_index_expression=table,method scoped_type_identifier=path,name scope_resolution=scope,name
	class_constant_access_expression=0,1 navigation_expression=target|0,suffix|1
	conditional_access_expression=condition|0,1`)

// methodNodes are those that reach a member and call it.
var methodNodes = twoParts(`method_invocation=object,name member_call_expression=object,name
	nullsafe_member_call_expression=object,name scoped_call_expression=scope,name call=receiver,method`)

// callNodes are those that call what one of their fields is.
var callNodes = parts(`call_expression=function|0 call=function
	invocation_expression=function|expression function_call_expression=function function_call=name|prefix|0`)

// elementNodes are those that take an element of what one of their fields is.
var elementNodes = parts(`subscript_expression=object|argument|0 index_expression=operand|0
	subscript=value array_access=array element_access_expression=expression|0 element_reference=object
	indexing_expression=0 slice_expression=operand`)

// madeNodes name the type that they give in one of their fields.
var madeNodes = parts(`new_expression=constructor|type object_creation_expression=type|0
	composite_literal=type struct_expression=name type_assertion_expression=type type_conversion_expression=type
	cast_expression=type as_expression=1 satisfies_expression=1 type_cast_expression=type
	compound_literal_expression=type instance_expression=0 array_creation_expression=type`)

// samePart are nodes that give what one of their parts gives.
var samePart = parts(`parenthesized_expression=0 unary_expression=operand|argument|0
	pointer_expression=argument reference_expression=value|0 await_expression=0 await=0 non_null_expression=0
	try_expression=0 postfix_expression=0 conditional_expression=consequence|0 ternary_expression=consequence
	assignment_expression=right named_expression=value boolean_operator=left as_pattern=0 prefix_expression=0
	directly_assignable_expression=0 parenthesized_pattern=0 spread_element=0 generic_function=function
	template_method=name instantiation_expression=0 elvis_expression=0 nil_coalescing_expression=value|0
	navigation_suffix=suffix|0 parenthesized_statements=0 expression_list=0 member_binding_expression=name|0
	argument=0|value element_binding_expression=0 expression_statement=0 template_function=name
	generic_type=name|type|0`)

// cast begins a cast of C++ that names its type.
var cast = regexp.MustCompile(`^(?:static|reinterpret|dynamic|const)_cast<`)

// child is a node's part by a list of fields, the first that it has; a digit means a named child.
func child(n tree.Node, fields string) tree.Node {
	for f := range strings.SplitSeq(fields, "|") {
		if f == "" {
			continue
		}
		if f[0] >= '0' && f[0] <= '9' {
			if i := int(f[0] - '0'); i < int(n.NamedChildCount()) {
				return n.NamedChild(i)
			}
			continue
		}
		if c := n.ChildByFieldName(f); c != nil {
			return c
		}
	}
	return nil
}

func (x *extraction) text(n tree.Node) string {
	if n == nil {
		return ""
	}
	return x.d.Text[n.StartByte():n.EndByte()]
}

// object is what a name is reached through, nil if it stands alone.
func (x *extraction) object(leaf tree.Node, up []ancestor) tree.Node {
	inner := leaf
	for _, a := range up[:min(len(up), 3)] {
		for _, nodes := range []map[string][2]string{memberNodes, methodNodes} {
			if m, ok := nodes[a.kind]; ok {
				o := child(a.node, m[0])
				if o == nil || inner.StartByte() < o.EndByte() {
					return nil // it is the object itself
				}
				return o
			}
		}
		if samePart[a.kind] == "" && a.kind != "generic_name" {
			return nil
		}
		inner = a.node
	}
	return nil
}

// infer is the type of an expression.
func (x *extraction) infer(n tree.Node, depth int) Expr {
	if n == nil || depth > maxInfer {
		return nil
	}
	kind := n.Type()
	depth++
	switch kind {
	case "identifier", "simple_identifier", "variable_name", "constant", "shorthand_property_identifier",
		"name", "type_identifier",
		"package_identifier", "namespace_identifier", "predefined_type", "module_name":
		return x.variable(n, depth)
	case "this", "self", "self_expression", "this_expression":
		return x.own(n)
	case "instance_variable": // Ruby's @name
		return x.own(n).step("." + strings.TrimLeft(x.text(n), "@"))
	case "super", "super_expression", "base", "base_expression":
		return x.own(n).step("^")
	case "binary_expression", "binary_operator":
		return x.either(n, depth)
	case "object":
		if first := child(n, "0"); first != nil && first.Type() == "spread_element" {
			return x.infer(first, depth)
		}
		return typed(literalType)
	case "array", "list":
		if e := x.infer(child(n, "0"), depth); len(e) == 1 && strings.HasPrefix(e[0], typeRoot) {
			return typed("[]" + e[0][1:])
		}
		return typed("[]any")
	case "variable":
		if n.NamedChildCount() > 0 && child(n, "table|field") != nil {
			return x.infer(child(n, "table"), depth).step("." + x.text(child(n, "field")))
		}
		return x.variable(n, depth)
	}
	if strings.Contains(kind, "string") && kind != "concatenated_string_type" {
		return typed("string")
	}
	if strings.Contains(kind, "number") || kind == "integer" || kind == "float" || kind == "int_literal" ||
		kind == "true" || kind == "false" {
		return typed("number")
	}
	if f, ok := madeNodes[kind]; ok {
		if c := child(n, f); c != nil {
			return typed(x.text(c))
		}
		return nil
	}
	if m, ok := methodNodes[kind]; ok {
		if o := child(n, m[0]); o != nil {
			return x.infer(o, depth).step("." + x.bare(child(n, m[1]))).step("()")
		}
		if name := child(n, m[1]); name != nil { // a method of the own class
			return x.variable(name, depth).step("()")
		}
	}
	if f, ok := callNodes[kind]; ok {
		c := child(n, f)
		if c == nil {
			return nil
		}
		switch text := x.text(c); {
		case text == "super": // Python
			return x.own(n).step("^")
		case text == "require" && family(x.d.Language) == "javascript":
			if a := child(n, "arguments"); a != nil && a.NamedChildCount() == 1 && a.NamedChild(0).Type() == "string" {
				return Expr{moduleRoot + strings.Trim(x.text(a.NamedChild(0)), "'\"")}
			}
		case strings.HasSuffix(text, "_cast") || cast.MatchString(text):
			_, inside, _ := strings.Cut(text, "<")
			return typed(strings.TrimSuffix(inside, ">"))
		case (text == "new" || text == "make") && x.d.Language == "go":
			if a := child(n, "arguments"); a != nil && a.NamedChildCount() > 0 {
				return typed(x.text(a.NamedChild(0)))
			}
		case text == "append" && x.d.Language == "go":
			if a := child(n, "arguments"); a != nil && a.NamedChildCount() > 0 {
				return x.infer(a.NamedChild(0), depth)
			}
		}
		if k := c.Type(); k == "parenthesized_expression" && x.d.Language == "go" { // (*T)(x)
			return typed(strings.Trim(x.text(c), "()"))
		}
		return x.infer(c, depth).step("()")
	}
	if m, ok := memberNodes[kind]; ok {
		o := child(n, m[0])
		if o == nil {
			return x.variable(n, depth)
		}
		if t := x.narrowed(n, x.text(n)); t != "" {
			return typed(t)
		}
		return x.infer(o, depth).step("." + x.bare(child(n, m[1])))
	}
	if f, ok := elementNodes[kind]; ok {
		e := x.infer(child(n, f), depth)
		if kind == "slice_expression" {
			return e
		}
		return e.step("[]")
	}
	if f, ok := samePart[kind]; ok {
		return x.infer(child(n, f), depth)
	}
	return nil
}

// bare is the name in a node that may hold more than it.
func (x *extraction) bare(n tree.Node) string {
	text := x.text(n)
	text = strings.TrimLeft(text, ".?!$&:")
	return generic(text)
}

// either is the type of a choice between two expressions, or of a comparison.
func (x *extraction) either(n tree.Node, depth int) Expr {
	left := child(n, "left|0")
	if left == nil {
		return nil
	}
	right := child(n, "right|1")
	between := ""
	if right != nil && right.StartByte() > left.EndByte() {
		between = strings.TrimSpace(x.d.Text[left.EndByte():right.StartByte()])
	}
	switch between {
	case "||", "??", "?:", "or":
		if e := x.infer(left, depth); e != nil {
			return e
		}
		return x.infer(right, depth)
	case "&&", "and":
		return x.infer(right, depth)
	}
	return nil
}

// own is the type that the code at a node belongs to.
func (x *extraction) own(n tree.Node) Expr {
	if t := x.classAround(int(n.StartByte())); t != "" {
		return typed(t)
	}
	return nil
}

// typedefOf is the type that a typedef of C gives another name.
func typedefOf(x *extraction, up []ancestor) []string {
	for _, a := range up[:min(len(up), 4)] {
		if a.kind != "type_definition" {
			continue
		}
		t := child(a.node, "type")
		if t != nil && strings.HasSuffix(t.Type(), "_specifier") {
			t = child(t, "name")
		}
		if t == nil || t.Type() != "type_identifier" && t.Type() != "qualified_identifier" {
			return nil
		}
		return []string{x.text(t)}
	}
	return nil
}
