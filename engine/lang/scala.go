package lang

import (
	"searchmcp/engine/lang/tree"
)

var _ = add(Language{Name: "scala",
	Extensions: "scala sc sbt",
	Programs:   "scala",
	Family:     "java",
	Sight:      Package,
	Bare:       true,
	Type:       TypeColon,
	Comments:   Comments{Lines: slashes, Blocks: starred},
	Rules: rules{
		"comment block_comment":                comment,
		"package_clause":                       {Inside: true, RoleOf: headerWithoutBody},
		"import_declaration":                   header,
		"class_definition object_definition":   scope(named),
		"trait_definition enum_definition":     scope(named),
		"package_object extension_definition":  scope(named),
		"template_body enum_body block":        within,
		"function_definition":                  nest(named),
		"function_declaration type_definition": value(named),
		"val_definition var_definition":        value(scalaPattern),
		"val_declaration var_declaration":      value(named),
		"given_definition":                     {Defines: DefinesScope, Names: named, Inside: true},
		"with_template_body":                   within,
		"enum_case_definitions":                within,
		"simple_enum_case full_enum_case":      value(named),
	},
})

func scalaPattern(r *Reading, it tree.Node) []Ident {
	if n := it.ChildByFieldName("pattern"); n != nil && n.Type() == "identifier" {
		return r.one(n)
	}
	return nil
}
