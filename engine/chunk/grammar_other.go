package chunk

import (
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

func goGrammar() *grammar {
	return newGrammar(golang.GetLanguage(), rules{
		"comment":                           comment,
		"package_clause import_declaration": header,
		"function_declaration":              function(named),
		"method_declaration":                function(goMethod),
		"type_declaration":                  within,
		"type_spec":                         {kind: kindScope, names: named, inside: true, multiline: true},
		"type_alias":                        value(named),
		"interface_type":                    deep,
		"method_elem":                       value(named),
		"const_declaration var_declaration": within,
		"var_spec_list":                     within,
		"const_spec var_spec":               value(allOf("identifier")),
	})
}

// goMethod puts a method into its receiver's type.
func goMethod(s *syntax, it *item) []ident {
	out := named(s, it)
	recv := it.node.ChildByFieldName("receiver")
	if len(out) == 0 || recv == nil {
		return out
	}
	if p := s.child(recv, "parameter_declaration"); p != nil {
		t := strings.TrimLeft(s.text(p.ChildByFieldName("type")), "*( ")
		if t = cleanName(generic(strings.TrimRight(t, ") "))); t != "" {
			out[0].prefix = []string{t}
		}
	}
	return out
}

func scriptRules() rules {
	return rules{
		"comment":                 comment,
		"import_statement":        header,
		"hash_bang_line":          header,
		"decorator":               attribute,
		"export_statement":        shell,
		"class_declaration class": scope(named),
		"class_body":              within,
		"function_declaration generator_function_declaration": nest(named),
		"method_definition":                         nest(scriptKey("name")),
		"lexical_declaration variable_declaration":  within,
		"variable_declarator":                       valueWithin(scriptField("name")),
		"statement_block":                           deep,
		"if_statement else_clause":                  deep,
		"expression_statement":                      within,
		"parenthesized_expression unary_expression": deep,
		"arguments":                                 deep,
		"arrow_function function_expression":        deep,
		"generator_function":                        deep,
		"object":                                    deep,
		"return_statement":                          deep,
		"new_expression":                            deep,
		"pair":                                      valueWithin(scriptPair),
		"call_expression":                           {kind: kindScope, names: scriptCall, inside: true, multiline: true},
		"assignment_expression":                     {kind: kindValue, names: scriptAssignment, inside: true},
	}
}

func typescriptRules() rules {
	rs := scriptRules()
	for k, v := range (rules{
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
	}) {
		rs[k] = v
	}
	return rs
}

func javascriptGrammar() *grammar {
	rs := scriptRules()
	rs["field_definition"] = valueWithin(scriptField("property"))
	return newGrammar(javascript.GetLanguage(), rs)
}

func typescriptGrammar() *grammar { return newGrammar(typescript.GetLanguage(), typescriptRules()) }
func tsxGrammar() *grammar        { return newGrammar(tsx.GetLanguage(), typescriptRules()) }

func unquote(id ident) ident {
	if len(id.name) > 1 && strings.ContainsRune("'\"`", rune(id.name[0])) {
		id.name, id.at = strings.Trim(id.name, "'\"`"), id.at+1
	}
	return id
}

func scriptModule(s *syntax, it *item) []ident {
	n := it.node.ChildByFieldName("name")
	if n == nil {
		return nil
	}
	return []ident{unquote(s.ident(n)).qualified(".")}
}

// scriptKey takes a property's name; computed ones have none.
func scriptKey(field string) func(*syntax, *item) []ident {
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
func (s *syntax) isFunction(n *sitter.Node) bool {
	if n != nil && n.Type() == "call_expression" {
		if args := n.ChildByFieldName("arguments"); args != nil {
			return s.child(args, "arrow_function function_expression") != nil
		}
	}
	return n != nil && oneOf(n.Type(), functionTypes)
}

// imports reports whether a value is require(…): the name is defined where it comes from.
func (s *syntax) imports(v *sitter.Node) bool {
	return v != nil && strings.HasPrefix(strings.TrimSpace(s.text(v)), "require")
}

// scriptField is a field or variable; with a function for a value it is a function. Inside functions only those count.
func scriptField(field string) func(*syntax, *item) []ident {
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
		id.function = s.isFunction(v)
		return []ident{id}
	}
}

func scriptPair(s *syntax, it *item) []ident {
	k := it.node.ChildByFieldName("key")
	if k == nil || !s.isFunction(it.node.ChildByFieldName("value")) || k.Type() == "computed_property_name" {
		return nil
	}
	id := unquote(s.ident(k))
	id.function = true
	return []ident{id}
}

// scriptAssignment finds exports.x = …, X.prototype.y = function … and window.z = () => ….
func scriptAssignment(s *syntax, it *item) []ident {
	left, right := it.node.ChildByFieldName("left"), it.node.ChildByFieldName("right")
	if left == nil || left.Type() != "member_expression" {
		return nil
	}
	id := s.ident(left)
	exported := strings.HasPrefix(id.name, "exports.") || strings.HasPrefix(id.name, "module.exports.")
	fn := s.isFunction(right)
	if !fn && !exported || strings.ContainsAny(id.name, "([\n") {
		return nil
	}
	id = id.qualified(".")
	id.function = fn
	var prefix []string
	for _, p := range id.prefix {
		if !oneOf(p, []string{"module", "exports", "prototype", "window", "this", "self", "global", "globalThis"}) {
			prefix = append(prefix, p)
		}
	}
	id.prefix = prefix
	return []ident{id}
}

// testCalls describe what their block does; the description is a place, not a symbol.
var testCalls = map[string]bool{"describe": true, "context": true, "it": true, "test": true, "suite": true, "specify": true,
	"feature": true, "scenario": true, "namespace": true, "task": true}

func scriptCall(s *syntax, it *item) []ident {
	name, _, _ := strings.Cut(s.text(it.node.ChildByFieldName("function")), ".")
	if !testCalls[name] {
		return nil
	}
	return s.described(it.node.ChildByFieldName("arguments"))
}

// described takes the first argument of a call if it is a string or constant. Unless told otherwise it is not a symbol.
func (s *syntax) described(args *sitter.Node, place ...bool) []ident {
	if args == nil || args.NamedChildCount() == 0 {
		return nil
	}
	first := args.NamedChild(0)
	switch first.Type() {
	case "string", "constant", "scope_resolution", "template_string", "argument":
	default:
		return nil
	}
	id := unquote(s.ident(first))
	id.elsewhere = len(place) == 0 || place[0]
	return []ident{id}
}

func rustGrammar() *grammar {
	return newGrammar(rust.GetLanguage(), rules{
		"line_comment block_comment":          comment,
		"attribute_item inner_attribute_item": attribute,
		"use_declaration":                     header,
		"extern_crate_declaration":            header,
		"mod_item":                            scope(withBody(named)),
		"impl_item":                           scope(elsewhere(rustImpl)),
		"trait_item":                          scope(named),
		"struct_item union_item":              scope(named),
		"enum_item":                           scope(named),
		"enum_variant_list declaration_list":  within,
		"enum_variant":                        value(named),
		"foreign_mod_item":                    within,
		"function_item":                       nest(named),
		"function_signature_item":             value(named),
		"block":                               deep,
		"const_item static_item type_item":    value(named),
		"associated_type":                     value(named),
		"macro_definition":                    function(named),
	})
}

// rustImpl names an impl block by its type.
func rustImpl(s *syntax, it *item) []ident {
	n := it.node.ChildByFieldName("type")
	if n == nil {
		return nil
	}
	id := s.ident(n)
	id.name = generic(strings.TrimLeft(id.name, "&"))
	return []ident{id}
}

func kotlinGrammar() *grammar {
	name := firstOf("type_identifier simple_identifier")
	return newGrammar(kotlin.GetLanguage(), rules{
		"line_comment multiline_comment":             comment,
		"package_header import_list file_annotation": header,
		"import_header shebang_line":                 header,
		"class_declaration object_declaration":       scope(name),
		"companion_object":                           {kind: kindScope, names: elsewhere(literal("companion")), inside: true},
		"class_body enum_class_body":                 within,
		"function_declaration":                       nest(firstOf("simple_identifier")),
		"secondary_constructor":                      function(literal("constructor")),
		"function_body statements":                   deep,
		"property_declaration":                       value(kotlinProperty),
		"enum_entry type_alias":                      value(name),
	})
}

func kotlinProperty(s *syntax, it *item) []ident {
	v := s.child(it.node, "variable_declaration")
	if v == nil {
		return nil
	}
	return s.one(s.child(v, "simple_identifier"))
}

func swiftGrammar() *grammar {
	return newGrammar(swift.GetLanguage(), rules{
		"comment multiline_comment":                        comment,
		"import_declaration shebang_line":                  header,
		"class_declaration":                                scope(swiftType),
		"protocol_declaration":                             scope(named),
		"class_body enum_class_body protocol_body":         within,
		"function_declaration":                             nest(named),
		"protocol_function_declaration":                    value(named),
		"function_body statements":                         deep,
		"init_declaration":                                 function(literal("init")),
		"deinit_declaration":                               function(literal("deinit")),
		"subscript_declaration":                            function(literal("subscript")),
		"property_declaration":                             value(named),
		"protocol_property_declaration":                    value(named),
		"typealias_declaration associatedtype_declaration": value(named),
		"enum_entry":                                       value(swiftCases),
	})
}

// swiftType tells extensions from what defines a type.
func swiftType(s *syntax, it *item) []ident {
	n := it.node.ChildByFieldName("name")
	if n == nil {
		return nil
	}
	id := s.ident(n)
	before := s.src.text[it.start:id.at]
	id.elsewhere = strings.HasPrefix(before, "extension") || strings.Contains(before, " extension ") || strings.Contains(before, "\nextension ")
	return []ident{id.qualified(".")}
}

// swiftCases reads "case left, right".
func swiftCases(s *syntax, it *item) []ident { return allOf("simple_identifier")(s, it) }

func scalaGrammar() *grammar {
	return newGrammar(scala.GetLanguage(), rules{
		"comment block_comment":                comment,
		"package_clause":                       {inside: true, roleOf: scalaPackage},
		"import_declaration":                   header,
		"class_definition object_definition":   scope(named),
		"trait_definition enum_definition":     scope(named),
		"package_object extension_definition":  scope(named),
		"template_body enum_body block":        within,
		"function_definition":                  nest(named),
		"function_declaration type_definition": value(named),
		"val_definition var_definition":        value(scalaPattern),
		"val_declaration var_declaration":      value(named),
		"given_definition":                     value(named),
		"enum_case_definitions":                within,
		"simple_enum_case full_enum_case":      value(named),
	})
}

func scalaPackage(_ *syntax, it *item) role {
	if it.node.ChildByFieldName("body") == nil {
		return roleHeader
	}
	return roleCode
}

func scalaPattern(s *syntax, it *item) []ident {
	if n := it.node.ChildByFieldName("pattern"); n != nil && n.Type() == "identifier" {
		return s.one(n)
	}
	return nil
}
