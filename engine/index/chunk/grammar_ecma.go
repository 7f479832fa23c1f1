package chunk

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

func scriptRules() rules {
	return rules{
		"comment":                 comment,
		"import_statement":        header,
		"hash_bang_line":          header,
		"decorator":               attribute,
		"export_statement":        {inside: true, wrapper: true, names: scriptDefault},
		"class_declaration class": scope(named),
		"class_body":              within,
		"function_declaration generator_function_declaration": nest(named),
		"method_definition":                         nest(scriptKey("name")),
		"lexical_declaration variable_declaration":  within,
		"variable_declarator":                       literalWithin(scriptField("name")),
		"statement_block":                           deep,
		"if_statement else_clause":                  deep,
		"expression_statement":                      within,
		"parenthesized_expression unary_expression": deep,
		"arguments":                                 deep,
		"arrow_function function_expression":        deep,
		"generator_function":                        deep,
		"object":                                    {inside: true, multiline: true, literal: true},
		"return_statement":                          deep,
		"new_expression":                            deep,
		"pair":                                      literalWithin(scriptPair),
		"call_expression":                           {kind: kindScope, names: scriptCall, inside: true, multiline: true},
		"assignment_expression":                     {kind: kindValue, names: scriptAssignment, inside: true},
	}
}

// literalWithin is a value that may be or hold an object literal.
func literalWithin(names naming) rule {
	return rule{kind: kindValue, names: names, inside: true, multiline: true, literal: true}
}

func typescriptRules() rules {
	rs := scriptRules()
	maps.Copy(rs, rules{
		"public_field_definition":    valueWithin(scriptField("name")),
		"abstract_class_declaration": scope(named),
		"interface_declaration":      scope(named),
		"interface_body object_type": within,
		"method_signature":           value(scriptKey("name")),
		"abstract_method_signature":  value(scriptKey("name")),
		"function_signature":         value(named),
		"enum_declaration":           scope(named),
		"enum_body":                  {kind: kindValue, names: allOf("property_identifier"), inside: true},
		"enum_assignment":            value(scriptKey("name")),
		"type_alias_declaration":     value(named),
		"internal_module module":     scope(scriptModule),
		"ambient_declaration":        shell,
		"satisfies_expression":       {inside: true, multiline: true, literal: true},
		"as_expression":              {inside: true, multiline: true, literal: true},
	})
	return rs
}

func javascriptGrammar(l tree.Language) *grammar {
	rs := scriptRules()
	rs["field_definition"] = valueWithin(scriptField("property"))
	return newGrammar(l, rs)
}

func typescriptGrammar(l tree.Language) *grammar {
	g := newGrammar(l, typescriptRules())
	g.retry = []func(string) (string, int){separated}
	return g
}

func tsxGrammar(l tree.Language) *grammar { return newGrammar(l, typescriptRules()) }

func unquote(id ident) ident {
	if len(id.name) > 1 && strings.ContainsRune("'\"`", rune(id.name[0])) {
		id.name, id.at = strings.Trim(id.name, "'\"`"), id.at+1
	}
	return id
}

var scriptModule = changed(named, func(_ *item, id *ident) { *id = unquote(*id).qualified(".") })

// scriptKey takes a property's name; computed ones have none.
func scriptKey(field string) naming {
	return func(s *syntax, it *item) []ident {
		n := it.node.ChildByFieldName(field)
		if n == nil || n.Type() == "computed_property_name" {
			return nil
		}
		id := unquote(s.ident(n))
		id.elsewhere = id.name == "constructor" // every class has one: a place, not a name to look for
		return []ident{id}
	}
}

var functionTypes = []string{"arrow_function", "function_expression", "generator_function", "class"}

// isFunction looks through one call, so that memo(function …) and debounce(() => …) count.
func (s *syntax) isFunction(n tree.Node) bool {
	if n != nil && n.Type() == "call_expression" {
		if args := n.ChildByFieldName("arguments"); args != nil {
			return s.child(args, "arrow_function function_expression") != nil
		}
	}
	return n != nil && slices.Contains(functionTypes, n.Type())
}

// imports reports whether a value is require(…): the name is defined where it comes from.
func (s *syntax) imports(v tree.Node) bool {
	return v != nil && strings.HasPrefix(strings.TrimSpace(s.text(v)), "require")
}

// scriptField is a field or variable; with a function for a value it is a function. Inside functions only those count.
func scriptField(field string) naming {
	return func(s *syntax, it *item) []ident {
		n := it.node.ChildByFieldName(field)
		if n == nil || !strings.HasSuffix(n.Type(), "identifier") {
			return nil
		}
		v := it.node.ChildByFieldName("value")
		if s.imports(v) {
			return nil
		}
		id := s.ident(n)
		if id.function = s.isFunction(v); !id.function && v != nil {
			id.holder = v.NamedChildCount() > 0
			id.object = s.isObject(v) && it.node.ChildByFieldName("type") == nil
		}
		return []ident{id}
	}
}

// isObject reports whether a value is an object literal, whatever stands around it: brackets, a cast, other names that
// are given it too, Object.freeze.
func (s *syntax) isObject(v tree.Node) bool {
	const layers = 8
	for range layers {
		if v == nil {
			return false
		}
		switch v.Type() {
		case "object":
			return true
		case "assignment_expression":
			v = v.ChildByFieldName("right")
		case "parenthesized_expression", "as_expression", "satisfies_expression", "arguments":
			v = v.NamedChild(0)
		case "call_expression":
			if s.text(v.ChildByFieldName("function")) != "Object.freeze" {
				return false
			}
			v = v.ChildByFieldName("arguments")
		default:
			return false
		}
	}
	return false
}

// scriptDefault is the place of what a module exports without a name.
func scriptDefault(s *syntax, it *item) []ident {
	if s.document && s.isObject(it.node.ChildByFieldName("value")) {
		return []ident{{at: int(it.node.StartByte()), silent: true}}
	}
	return nil
}

func scriptPair(s *syntax, it *item) []ident {
	k := it.node.ChildByFieldName("key")
	if k == nil || k.Type() == "computed_property_name" {
		return nil
	}
	v := it.node.ChildByFieldName("value")
	id := unquote(s.ident(k))
	if id.function = s.isFunction(v); !id.function {
		if !s.document || v == nil || v.NamedChildCount() == 0 {
			return nil
		}
		id.silent, id.object = true, s.isObject(v)
	}
	return []ident{id}
}

// scriptAssignment finds exports.x = …, X.prototype.y = function … and window.z = () => ….
func scriptAssignment(s *syntax, it *item) []ident {
	left, right := it.node.ChildByFieldName("left"), it.node.ChildByFieldName("right")
	if left == nil {
		return nil
	}
	key := left.ChildByFieldName("index")
	if key == nil {
		key = left.ChildByFieldName("property")
	}
	if owner := s.prototype(left.ChildByFieldName("object")); owner != "" && key != nil && s.isFunction(right) &&
		(left.Type() == "member_expression" || key.Type() == "string") {
		id := unquote(s.ident(key))
		id.prefix, id.function, id.holder = []string{owner}, true, false
		return []ident{id}
	}
	if left.Type() != "member_expression" {
		return nil
	}
	id := s.ident(left)
	exported := strings.HasPrefix(id.name, "exports.") || strings.HasPrefix(id.name, "module.exports.")
	fn := s.isFunction(right)
	if strings.ContainsAny(id.name, "([\n") || right != nil && right.Type() == "class" &&
		right.ChildByFieldName("name") != nil {
		return nil // the class has a name of its own
	}
	if !fn && !exported {
		if !s.document || !s.isObject(right) {
			return nil
		}
		id.silent, id.object = true, true
	}
	id = id.qualified(".")
	if id.function = fn; !fn {
		id.holder, id.object = true, s.isObject(right)
	}
	switch n := len(id.prefix); {
	case id.silent && id.name == "exports":
		id.name = ""
	case id.silent && id.name == "prototype" && n > 0:
		id.name, id.prefix = id.prefix[n-1], id.prefix[:n-1]
	}
	id.prefix = slices.DeleteFunc(id.prefix, func(p string) bool { return globals[p] })
	return []ident{id}
}

// globals stand for modules and what is known everywhere, and are no place of what is assigned to them.
var globals = wordSet(`module exports prototype window this self global globalThis`)

// testCalls describe what their block does; the description is a place, not a symbol.
var testCalls = wordSet(`describe context it test suite specify feature scenario namespace task`)

func scriptCall(s *syntax, it *item) []ident {
	called, args := s.text(it.node.ChildByFieldName("function")), it.node.ChildByFieldName("arguments")
	switch name, _, _ := strings.Cut(called, "."); {
	case testCalls[name]:
		return s.described(args)
	case args == nil || args.NamedChildCount() < 2 || name != "Object" && name != "Reflect":
		return nil
	}
	owner := s.prototype(args.NamedChild(0))
	if owner == "" {
		return nil
	}
	switch _, method, _ := strings.Cut(called, "."); method {
	case "defineProperty":
		return s.property(owner, args.NamedChild(1), args.NamedChild(2))
	case "defineProperties":
		var out []ident
		for p := args.NamedChild(1).FirstChild(); p != nil; p = p.NextSibling() {
			out = append(out, s.property(owner, p.ChildByFieldName("key"), p.ChildByFieldName("value"))...)
		}
		return out
	case "assign": // whose members stand in the object behind it
		return []ident{{name: owner, at: it.start, elsewhere: true, object: true}}
	}
	return nil
}

// property is what a descriptor gives a prototype.
func (s *syntax) property(owner string, key, descriptor tree.Node) []ident {
	if key == nil || descriptor == nil || !strings.HasPrefix(key.Type(), "property") && key.Type() != "string" {
		return nil
	}
	id := unquote(s.ident(key))
	id.prefix = []string{owner}
	for p := descriptor.FirstChild(); p != nil; p = p.NextSibling() {
		k := p.ChildByFieldName("key")
		id.function = id.function || s.text(k) == "value" && s.isFunction(p.ChildByFieldName("value")) ||
			p.Type() == "method_definition" && s.text(p.ChildByFieldName("name")) == "value"
	}
	return []ident{id}
}

// prototype is the type whose prototype an expression is, perhaps in a cast; "" for any other.
func (s *syntax) prototype(n tree.Node) string {
	if m := prototypeOf.FindStringSubmatch(s.text(n)); m != nil {
		return m[1]
	}
	return ""
}

var prototypeOf = regexp.MustCompile(`^\(?\s*(?:<\w+>\s*)?(?:[\w$]+\.)*([\w$]+)\.prototype(?:\s+as\s+[^()]*)?\)?$`)

// described takes the first argument of a call, a string or constant, as a place: the call is not what defines it.
func (s *syntax) described(args tree.Node) []ident {
	return elsewhere(func(s *syntax, _ *item) []ident { return s.quoted(args) })(s, nil)
}

// quoted takes the first argument of a call if it is a string or constant.
func (s *syntax) quoted(args tree.Node) []ident {
	if args == nil || args.NamedChildCount() == 0 {
		return nil
	}
	first := args.NamedChild(0)
	switch first.Type() {
	case "string", "constant", "scope_resolution", "template_string", "argument":
		return []ident{unquote(s.ident(first))}
	}
	return nil
}
