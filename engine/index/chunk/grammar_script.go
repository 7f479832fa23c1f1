package chunk

import (
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

func bashGrammar(l tree.Language) *grammar {
	g := newGrammar(l, rules{
		"comment":             comment,
		"function_definition": nest(named),
		"compound_statement":  deep,
		"if_statement":        deep,
		"elif_clause":         deep,
		"else_clause":         deep,
		"case_statement":      deep,
		"case_item":           deep,
		"declaration_command": within,
		"variable_assignment": value(named),
	})
	// An escaped expansion in a string for eval, "\${#${a}[@]}", is one to the grammar, which reads nothing behind it
	// then.
	g.prepare = func(text string) string { return strings.ReplaceAll(text, `\$`, `__`) }
	return g
}

func pythonGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"comment": comment,
		"import_statement import_from_statement future_import_statement": header,
		"decorated_definition":       shell,
		"decorator":                  attribute,
		"class_definition":           scope(named),
		"function_definition":        nest(named),
		"block":                      within,
		"if_statement try_statement": deep,
		"else_clause elif_clause":    deep,
		"except_clause with_statement finally_clause": deep,
		"for_statement while_statement":               deep,
		"expression_statement":                        {inside: true, roleOf: pythonDocstring},
		"assignment":                                  value(pythonTargets),
		"type_alias_statement":                        value(firstOf("type")),
	})
}

// pythonDocstring counts the string at a module's top to its header.
func pythonDocstring(s *syntax, it *item) role {
	c := s.src.text[it.start]
	if (c == '"' || c == '\'') && strings.TrimLeft(s.src.text[:it.start], "# \t\r\n") == "" {
		return roleHeader
	}
	return roleCode
}

// pythonTargets gives the plain names on the left of an assignment; a lambda makes its target a function.
func pythonTargets(s *syntax, it *item) []ident {
	left := it.node.ChildByFieldName("left")
	if left == nil {
		return nil
	}
	right := it.node.ChildByFieldName("right")
	fn := right != nil && right.Type() == "lambda"
	switch left.Type() {
	case "identifier":
		id := s.ident(left)
		id.function = fn
		return []ident{id}
	case "pattern_list", "tuple_pattern":
		var out []ident
		for i := range min(int(left.NamedChildCount()), fewParts) {
			if c := left.NamedChild(i); c.Type() == "identifier" {
				out = append(out, s.ident(c))
			}
		}
		return out
	}
	return nil
}

func rubyGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"comment":                 comment,
		"module class":            scope(parted("::")),
		"singleton_class":         {inside: true},
		"body_statement":          within,
		"method singleton_method": nest(named),
		"assignment":              valueWithin(rubyConstant),
		"argument_list":           within, // private def
		"alias":                   value(named),
		"if unless begin":         deep,
		"then else":               deep,
		"call":                    {kind: kindScope, names: rubyCall, inside: true, roleOf: rubyRequire},
		"do_block block":          deep,
		"block_body":              deep,
	})
}

func rubyConstant(s *syntax, it *item) []ident {
	if n := it.node.ChildByFieldName("left"); n != nil && n.Type() == "constant" {
		return s.one(n)
	}
	return nil
}

// rubyCalls are the methods whose symbol arguments name what they define.
var rubyCalls = wordSet(`attr_reader attr_writer attr_accessor define_method alias_method scope has_many belongs_to
	has_one delegate mattr_accessor cattr_accessor class_attribute let let!`)

// rubyCall finds what calls define: attributes by their symbols, example groups by their descriptions, tasks by name.
func rubyCall(s *syntax, it *item) []ident {
	method := s.text(it.node.ChildByFieldName("method"))
	args := it.node.ChildByFieldName("arguments")
	if args == nil {
		return nil
	}
	if rubyCalls[method] {
		var out []ident
		for i := range min(int(args.NamedChildCount()), fewParts) {
			c := args.NamedChild(i)
			if c.Type() != "simple_symbol" {
				break
			}
			id := s.ident(c)
			out = append(out, ident{name: strings.TrimPrefix(id.name, ":"), at: id.at + 1})
			if method != "attr_reader" && method != "attr_writer" && method != "attr_accessor" {
				break
			}
		}
		return out
	}
	if rubyTasks[method] && args.NamedChildCount() > 0 {
		name := args.NamedChild(0)
		if name.Type() == "pair" {
			name = name.NamedChild(0)
		}
		if t := name.Type(); t == "simple_symbol" || t == "hash_key_symbol" || t == "string" {
			id := unquote(s.ident(name))
			lead := len(id.name) - len(strings.TrimLeft(id.name, ":"))
			return []ident{{name: id.name[lead:], at: id.at + lead}}
		}
	}
	if it.first == it.last || !testCalls[method] {
		return nil
	}
	return s.described(args)
}

// rubyTasks are the methods of Rake that define what their first argument names.
var rubyTasks = wordSet("task file multitask rule")

func rubyRequire(s *syntax, it *item) role {
	if beginsWith(s.src.text[it.start:it.end], "require ", "require_relative ", "require(", "load ") {
		return roleHeader
	}
	return roleCode
}

func luaGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"comment":                 comment,
		"function_statement":      nest(parted(".", ":")),
		"function_body":           deep,
		"do_statement":            deep,
		"variable_declaration":    valueWithin(luaVariables),
		"tableconstructor":        deep,
		"module_return_statement": deep,
		"fieldlist":               deep,
		"field":                   valueWithin(luaField),
	})
}

func luaVariables(s *syntax, it *item) []ident {
	value := it.node.ChildByFieldName("value")
	if s.imports(value) {
		return nil
	}
	var out []ident
	for _, k := range s.kids(it) {
		if k.node.Type() != "variable_declarator" {
			continue
		}
		id := s.ident(k.node)
		if strings.ContainsAny(id.name, "[( ") || value != nil && s.text(value) == id.name {
			// "local type = type" defines nothing
			continue
		}
		id = id.qualified(".", ":")
		id.function = value != nil && value.Type() == "function"
		out = append(out, id)
	}
	return out
}

// luaField makes functions in tables symbols; plain fields are data.
func luaField(s *syntax, it *item) []ident {
	v, n := it.node.ChildByFieldName("value"), it.node.ChildByFieldName("name")
	if v == nil || n == nil || v.Type() != "function" || n.Type() != "identifier" {
		return nil
	}
	id := s.ident(n)
	id.function = true
	return []ident{id}
}

func phpGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"comment":                   comment,
		"php_tag declare_statement": header,
		"namespace_use_declaration": header,
		"namespace_definition":      {kind: kindScope, names: onward(named), inside: true, roleOf: headerWithoutBody},
		"class_declaration":         scope(named),
		"interface_declaration":     scope(named),
		"trait_declaration":         scope(named),
		"enum_declaration":          scope(named),
		"declaration_list":          within,
		"enum_declaration_list":     within,
		"compound_statement":        deep,
		"method_declaration":        nest(named),
		"function_definition":       nest(named),
		"const_declaration":         within,
		"const_element":             value(firstOf("name")),
		"property_declaration":      within,
		"property_element":          value(phpVariable),
		"enum_case":                 value(named),
		"if_statement":              deep,
		"expression_statement":      within,
		"function_call_expression":  value(phpDefine),
	})
}

func phpVariable(s *syntax, it *item) []ident {
	n := s.child(it.node, "variable_name")
	if n == nil {
		return nil
	}
	id := s.ident(n)
	return []ident{{name: strings.TrimPrefix(id.name, "$"), at: id.at + 1}}
}

// phpDefine finds define('NAME', …).
func phpDefine(s *syntax, it *item) []ident {
	if s.text(it.node.ChildByFieldName("function")) != "define" {
		return nil
	}
	return s.quoted(it.node.ChildByFieldName("arguments"))
}

func elixirGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"comment":        comment,
		"call":           {kind: kindScope, names: elixirCall, inside: true, multiline: true, roleOf: elixirRole},
		"do_block":       within,
		"unary_operator": {kind: kindValue, names: elixirAttribute, roleOf: elixirRole},
	})
}

// elixirCall reads defmodule, def and their kin, and the descriptions of tests.
func elixirCall(s *syntax, it *item) []ident {
	args := s.child(it.node, "arguments")
	if args == nil || args.NamedChildCount() == 0 {
		return nil
	}
	first := args.NamedChild(0)
	switch target := s.text(it.node.ChildByFieldName("target")); target {
	case "defmodule", "defprotocol":
		if first.Type() != "alias" {
			return nil
		}
		id := s.ident(first)
		out := []ident{id}
		if i := strings.LastIndexByte(id.name, '.'); i >= 0 {
			// Asked for by its last part as often as by the whole; only the whole is a place.
			out = append(out, ident{name: id.name[i+1:], at: id.at + i + 1, placeless: true})
		}
		return out
	case "defimpl":
		if first.Type() != "alias" {
			return nil
		}
		id := s.ident(first)
		id.elsewhere = true
		return []ident{id}
	case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defn", "defnp":
		return elixirFunction(s.ident(first))
	case "test", "describe":
		if it.first < it.last {
			return s.described(args)
		}
	}
	return nil
}

// elixirFunction cuts "add(cart, item) when …" to its name.
func elixirFunction(id ident) []ident {
	if i := strings.IndexAny(id.name, "( \n,"); i > 0 {
		id.name = id.name[:i]
	}
	if id.name == "" || strings.ContainsAny(id.name, "%{[\"") {
		return nil
	}
	id.function = true
	return []ident{id}
}

// elixirAttribute makes @limit 100 and @type t :: … symbols.
func elixirAttribute(s *syntax, it *item) []ident {
	text := s.src.text[it.start:it.end]
	if !strings.HasPrefix(text, "@") {
		return nil
	}
	name, rest, ok := strings.Cut(text[1:], " ")
	if !ok {
		return nil
	}
	at := it.start + 1
	switch name {
	case "type", "typep", "opaque", "callback", "macrocallback":
		end := strings.IndexAny(rest, "( :\n")
		if end <= 0 {
			return nil
		}
		return []ident{{name: rest[:end], at: at + len(name) + 1}}
	case "moduledoc", "doc", "spec", "impl", "typedoc", "shortdoc", "behaviour", "derive", "enforce_keys", "deprecated",
		"since", "tag", "moduletag",
		"describetag", "compile", "before_compile", "after_compile", "on_load", "on_definition", "dialyzer",
		"external_resource", "optional_callbacks", "vsn":
		return nil
	}
	return []ident{{name: name, at: at}}
}

// elixirRole: documentation and specs belong to the function behind them, alias and its kin to the header.
func elixirRole(s *syntax, it *item) role {
	switch text := s.src.text[it.start:it.end]; {
	case beginsWith(text, "@doc", "@spec", "@impl", "@typedoc", "@deprecated", "@tag", "@since"):
		return roleAttribute
	case beginsWith(text, "alias ", "import ", "require ", "use "):
		return roleHeader
	}
	return roleCode
}
