package chunk

import (
	"strings"

	"searchmcp/engine/chunk/tree"
)

func goGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
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

func rustGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
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
