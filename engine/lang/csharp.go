package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

var _ = add(Language{Name: "csharp",
	Extensions: "cs csx",
	Also:       "c# dotnet",
	Bare:       true,
	Type:       TypeBefore,
	Comments:   Comments{Lines: slashes, Blocks: starred},
	Rules: rules{
		"comment":                                comment,
		"using_directive extern_alias_directive": header,
		"namespace_declaration":                  scope(elsewhere(named)),
		"file_scoped_namespace_declaration":      {Defines: DefinesScope, Role: RoleHeader, Names: onward(named)},
		"class_declaration struct_declaration interface_declaration": scope(named),
		"enum_declaration record_declaration":                        scope(named),
		"declaration_list enum_member_declaration_list":              within,
		"parameter_list": components("parameter", "record_declaration", "class_declaration", "struct_declaration"),
		"method_declaration constructor_declaration":      nest(named),
		"destructor_declaration local_function_statement": nest(named),
		"block":                                  deep,
		"property_declaration event_declaration": {Defines: DefinesFunction, Names: named},
		"delegate_declaration enum_member_declaration": value(named),
		"field_declaration event_field_declaration":    within,
		"variable_declaration":                         within,
		"variable_declarator":                          value(firstOf("identifier")),
		"operator_declaration":                         function(csharpOperator),
		"conversion_operator_declaration":              function(literal("operator")),
		"indexer_declaration":                          function(literal("this")),
		"preproc_region preproc_endregion":             attribute,
		"preproc_if preproc_else preproc_elif":         within,
		"global_statement":                             deep,
		"global_attribute":                             header,
	},
	Prepare: structsAsRecords,
	Retry:   branches,
})

// csharpOperator finds "operator +".
func csharpOperator(r *Reading, it tree.Node) []Ident {
	text, at := r.own(it)
	i := strings.Index(text, "operator")
	open := strings.IndexByte(text, '(')
	if i < 0 || open < i {
		return nil
	}
	return []Ident{{Name: strings.TrimSpace(text[i:open]), At: at + i}}
}

// bodiless matches a structure of parameters alone, which the grammar reads of a record only.
var bodiless = regexp.MustCompile(`\b(struct)\s+[\pL_][\pL\pN_]*(?:<[^<>]*>)?\s*\([^()]*\)[^{}();]*;`)

// structsAsRecords writes such structures as records, so that every offset stays.
func structsAsRecords(text string) string {
	var b []byte
	for _, m := range bodiless.FindAllStringSubmatchIndex(text, -1) {
		if strings.HasSuffix(strings.TrimRight(text[:m[2]], " \t\r\n"), "record") {
			continue
		}
		if b == nil {
			b = []byte(text)
		}
		copy(b[m[2]:], "record")
	}
	if b == nil {
		return text
	}
	return string(b)
}
