package lang

import (
	"cmp"
	"slices"
	"strings"

	"searchmcp/engine/lang/tree"
)

// Occurrence is an occurrence of a name in a parsed file, with its ancestors.
type Occurrence struct {
	Text             string
	Start, End       int
	Leaf             string // text of the node, such as a name or a whole string
	Textual, Comment bool   // in a string or comment; in a comment
	Page             bool   // in the markup of an HTML, Vue or PHP file
	Symbol           bool   // a symbol in Ruby or an atom in Elixir
	Variable, Word   bool   // a variable in a shell; a plain word in a shell
	Shorthand        bool   // both a key and its variable, as in { name }

	kind string // node type
	l    *Language
	leaf tree.Node
	up   []tree.Node
}

// maxClimb is the maximum number of ancestor nodes that are examined.
const maxClimb = 12

// Occurrence returns the occurrence text[start:end] of a name in the node leaf.
func (l *Language) Occurrence(text string, leaf tree.Node, start, end int) *Occurrence {
	kind := leaf.Type()
	o := &Occurrence{Text: text, Start: start, End: end, kind: kind, l: l, leaf: leaf,
		Comment: HasAny(kind, "comment", "uninterpreted"), // text after __END__ in Ruby
		Textual: HasAny(kind, "string", "heredoc", "regex", "char", "text", "quoted", "content", "sigil", "str_"),
		Page:    kind == l.Page, Symbol: strings.Contains(kind, "symbol"),
		Variable: kind == l.Variable, Word: kind == l.Word,
		Shorthand: HasAny(kind, "shorthand_property_identifier", "shorthand_field_identifier")}
	o.Leaf, o.Textual = o.text(leaf), o.Textual || o.Comment
	for n := leaf.Parent(); n != nil && len(o.up) < maxClimb; n = n.Parent() {
		o.up = append(o.up, n)
	}
	return o
}

func (o *Occurrence) near(n int) []tree.Node { return o.up[:min(len(o.up), n)] }

func (o *Occurrence) text(n tree.Node) string {
	if n == nil {
		return ""
	}
	return o.Text[n.StartByte():n.EndByte()]
}

func (o *Occurrence) in(n tree.Node, names ...string) bool {
	return slices.ContainsFunc(names, func(f string) bool { return inside(o.leaf, n.ChildByFieldName(f)) })
}

func inside(n, outer tree.Node) bool {
	return outer != nil && outer.StartByte() <= n.StartByte() && n.EndByte() <= outer.EndByte()
}

// TypeOnly reports whether the occurrence is a type or in a parameter's default value, and not a local variable.
func (o *Occurrence) TypeOnly() bool {
	if o.kind == "type_identifier" {
		return true
	}
	for _, a := range o.up {
		if strings.HasSuffix(a.Type(), "parameter") && o.in(a, "value", "default_value") {
			return true
		}
		if functional(a.Type()) {
			return false
		}
	}
	return false
}

// Imports reports whether the occurrence is in an import.
func (o *Occurrence) Imports() bool {
	for _, a := range o.up {
		first, _, _ := strings.Cut(o.text(a), " ")
		switch {
		case Importing[a.Type()], a.Type() == "call" && slices.Contains(o.l.Importers, first):
			return true
		case (a.Type() == "variable_declarator" || a.Type() == "variable_declaration") &&
			a.EndByte()-a.StartByte() < 300 && strings.Contains(o.text(a), "require("):
			return true
		}
	}
	return false
}

// Calls reports whether the occurrence is called or constructed without parentheses.
func (o *Occurrence) Calls() bool {
	before := strings.TrimRight(o.Text[max(0, o.Start-8):o.Start], " \t")
	if strings.HasSuffix(before, "new") && o.l.Type != TypeNext {
		return true
	}
	if len(o.up) == 0 || !CallNodes[o.up[0].Type()] {
		return false
	}
	n, kind := o.up[0], o.up[0].Type()
	if kind == "call" { // in Ruby and Elixir
		m := cmp.Or(n.ChildByFieldName("method"), n.ChildByFieldName("target"))
		return m != nil && m.StartByte() == o.leaf.StartByte()
	}
	return n.StartByte() == o.leaf.StartByte() || kind == "command_name"
}

// Keyed reports whether the occurrence is the key of a literal's field or of an argument.
func (o *Occurrence) Keyed() bool {
	rest := strings.TrimLeft(o.Text[o.End:], " \t")
	if rest == "" {
		return false
	}
	for _, a := range o.near(2) {
		switch {
		case Keyed[a.Type()]:
			if rest[0] == ':' && !strings.HasPrefix(rest, "::") || rest[0] == '=' && !strings.HasPrefix(rest, "==") {
				return true
			}
		case KeyedBy[a.Type()]:
			return rest[0] == '='
		case a.Type() == "shorthand_field_initializer":
			return true
		}
	}
	return false
}

// LiteralType returns the type of the literal whose key is the occurrence, such as Point for x in "Point{x: 1}", or "".
func (o *Occurrence) LiteralType() string {
	for _, a := range o.up {
		if n := a.ChildByFieldName(literalTypes[a.Type()]); n != nil {
			name := Generic(strings.TrimSpace(strings.TrimLeft(o.text(n), "[]*&")))
			return name[strings.LastIndexAny(name, ".:")+1:]
		}
	}
	return ""
}

// Embeds reports whether the occurrence is an embedded type in Go, which is also the name of a field.
func (o *Occurrence) Embeds() bool {
	return o.kind == "type_identifier" && slices.ContainsFunc(o.near(3), func(a tree.Node) bool {
		return a.Type() == o.l.Embedding && a.ChildByFieldName("name") == nil
	})
}

// Field reports whether the occurrence declares a field.
func (o *Occurrence) Field() bool {
	for _, a := range o.near(3) {
		if kind := Fields[a.Type()]; kind != "" {
			return o.kind == kind && !o.in(a, "default_value")
		}
		if !strings.HasSuffix(a.Type(), "declarator") && a.Type() != "variable_name" {
			return false
		}
	}
	return false
}

// SetsAttribute reports whether the occurrence initializes an attribute, as "name" in "self.name = value".
func (o *Occurrence) SetsAttribute() bool {
	rest := strings.TrimLeft(o.Text[o.End:], " \t")
	if strings.HasPrefix(rest, ":") && len(o.up) > 1 && o.up[1].Type() == "assignment" {
		return true
	}
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && !strings.HasPrefix(rest, "=>")
}

// Key reports whether the occurrence is a key of an object literal outside functions. sure is true if the literal is
// exported or the value of a variable without a type.
func (o *Occurrence) Key() (own, sure bool) {
	if o.l.Family != "javascript" || len(o.up) < 2 || o.up[0].Type() != "pair" || o.up[1].Type() != "object" ||
		!o.in(o.up[0], "key") {
		return false, false
	}
	sure = true
	var inner tree.Node
	for n := o.up[1]; n != nil; n = n.Parent() {
		switch kind := n.Type(); kind {
		case "variable_declarator", "public_field_definition", "field_definition":
			sure = sure && n.ChildByFieldName("type") == nil
			for f := n.Parent(); f != nil; f = f.Parent() {
				if functional(f.Type()) {
					return false, sure
				}
			}
			return true, sure
		case "assignment_expression":
			if inner == nil || !inside(inner, n.ChildByFieldName("right")) {
				return false, false
			}
		case "export_statement", "program":
			return true, sure
		case "object", "pair", "parenthesized_expression", "as_expression", "satisfies_expression", "expression_statement",
			"arguments":
		case "return_statement": // a component's data
			return true, false
		case "call_expression":
			sure = sure && o.text(n.ChildByFieldName("function")) == "Object.freeze"
		default:
			if functional(kind) {
				return kind == "arrow_function" && inner.Type() != "statement_block", false
			}
			sure = false
		}
		inner = n
	}
	return true, sure
}

// Declares reports whether the occurrence declares a parameter or local variable, and returns the enclosing function.
func (o *Occurrence) Declares() (start, end int, ok bool) {
	up := o.declaration()
	if up == nil || o.l.Crates && Upper(o.Leaf) { // in a Rust pattern, a capitalized name is a constant
		return 0, 0, false
	}
	n := up[0]
	for i := 0; n != nil && i < 4*maxClimb; i++ {
		kind := n.Type()
		if functional(kind) {
			return int(n.StartByte()), int(n.EndByte()), true
		}
		if strings.HasPrefix(kind, "class_body") || kind == "class_definition" {
			break
		}
		n = n.Parent()
	}
	if k := up[0].Type(); strings.HasSuffix(k, "parameter_declaration") || k == "required_parameter" ||
		k == "optional_parameter" { // a parameter of a prototype
		return int(o.leaf.StartByte()), int(o.leaf.EndByte()), true
	}
	return 0, 0, false
}

// declaration returns the node that declares the occurrence as a parameter or variable, and the node's ancestors.
func (o *Occurrence) declaration() []tree.Node {
	for i, a := range o.up {
		if Declaring[a.Type()] || a.Type() == o.l.Assigning || a.Type() == "type_switch_statement" {
			for _, f := range ValueFields {
				if (f != "condition" || a.Type() == "for_expression") && o.in(a, f) {
					return nil
				}
			}
			if a.Type() == "type_switch_statement" && !o.in(a, "alias") ||
				a.Type() == "property_declaration" && strings.Contains(o.Text[a.StartByte():o.Start], "=") ||
				a.Type() == "assignment" && i > 0 && o.up[0].Type() == "attribute" {
				return nil
			}
			return o.up[i:]
		}
		if !HasAny(a.Type(), "pattern", "declarator", "expression_list", "identifier_list", "variable_name", "tuple",
			"designation", "attribute_declaration", "parameter") || a.Type() == "tuple_struct_pattern" && o.in(a, "type") {
			return nil
		}
	}
	return nil
}

func functional(kind string) bool {
	return kind == "function_type" ||
		!HasAny(kind, "call", "invocation", "name", "parameter", "declarator", "modifier", "type") &&
			HasAny(kind, "function", "method", "lambda", "closure", "func_literal", "constructor_declaration", "accessor",
				"init_declaration", "do_block", "comprehension", "generator_expression", "secondary_constructor")
}
