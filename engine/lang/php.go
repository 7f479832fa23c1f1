package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

var _ = add(Language{Name: "php",
	Dollar:     true,
	Arrow:      true,
	Member:     `\`,
	Page:       "text",
	Assigning:  "assignment_expression",
	Quoted:     phpQuoted,
	Extensions: "php phtml php5 php7 phps",
	Programs:   "php",
	Fold:       true,
	Type:       TypeBefore,
	Comments:   Comments{Lines: []string{"//", "#"}, Blocks: starred},
	Rules: rules{
		"comment":                   comment,
		"php_tag declare_statement": header,
		"namespace_use_declaration": header,
		"namespace_definition":      {Defines: DefinesScope, Names: onward(named), Inside: true, RoleOf: headerWithoutBody},
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
		"if_statement return_statement assignment_expression":                                         deep,
		"object_creation_expression arguments argument member_call_expression scoped_call_expression": deep,
		"expression_statement":     within,
		"function_call_expression": valueWithin(phpDefine),
	},
})

func phpVariable(r *Reading, it tree.Node) []Ident {
	n := r.child(it, "variable_name")
	if n == nil {
		return nil
	}
	id := r.ident(n)
	return []Ident{{Name: strings.TrimPrefix(id.Name, "$"), At: id.At + 1}}
}

// phpDefine finds define('NAME', …).
func phpDefine(r *Reading, it tree.Node) []Ident {
	if r.text(it.ChildByFieldName("function")) != "define" {
		return nil
	}
	return r.quoted(it.ChildByFieldName("arguments"))
}

// phpQuoted finds the method of a callable: [$this, 'name'], [Type::class, 'name'], ['Type', 'name'].
func phpQuoted(o *Occurrence) (bool, string) {
	for _, a := range o.near(3) {
		if a.kind != "array_creation_expression" || a.node.NamedChildCount() != 2 {
			continue
		}
		first := o.text(a.node.NamedChild(0))
		class, ok := strings.CutSuffix(first, "::class")
		switch bare := strings.Trim(first, `'"`); {
		case ok, first == "$this":
			return true, class
		case bare != first && inside(o.leaf, a.node.NamedChild(1)):
			return true, bare
		}
		return false, ""
	}
	return false, ""
}
