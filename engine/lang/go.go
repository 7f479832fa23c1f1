package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

var _ = add(Language{Name: "go",
	Type:       TypeNext,
	Imports:    ImportPath,
	Packages:   true,
	FieldKeys:  true,
	Qualified:  true,
	Slices:     true,
	Embedding:  "field_declaration",
	Extensions: "go",
	Also:       "golang",
	Sight:      Package,
	Comments:   Comments{Lines: slashes, Blocks: starred},
	Rules: rules{
		"comment":                           comment,
		"package_clause import_declaration": header,
		"function_declaration":              function(named),
		"method_declaration":                function(goMethod),
		"type_declaration":                  within,
		"type_spec":                         scope(named),
		"type_alias":                        value(named),
		"interface_type":                    within,
		"method_elem":                       value(named),
		"const_declaration var_declaration": within,
		"var_spec_list":                     within,
		"const_spec var_spec":               value(allOf("identifier")),
	},
})

// goMethod puts a method into its receiver's type.
func goMethod(r *Reading, it tree.Node) []Ident {
	out := named(r, it)
	recv := it.ChildByFieldName("receiver")
	if len(out) == 0 || recv == nil {
		return out
	}
	if p := r.child(recv, "parameter_declaration"); p != nil {
		t := strings.TrimLeft(r.text(p.ChildByFieldName("type")), "*( ")
		if t = CleanName(generic(strings.TrimRight(t, ") "))); t != "" {
			out[0].Prefix = []string{t}
		}
	}
	return out
}
