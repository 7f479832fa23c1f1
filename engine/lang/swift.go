package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

var _ = add(Language{Name: "swift",
	BareConstants: true,
	Extensions:    "swift",
	Programs:      "swift",
	Bare:          true,
	Type:          TypeColon,
	Comments:      Comments{Lines: slashes, Blocks: starred},
	Rules: rules{
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
		"protocol_property_declaration":                    value(swiftPattern),
		"typealias_declaration associatedtype_declaration": value(named),
		"macro_declaration":                                value(firstOf("simple_identifier")),
		"enum_entry":                                       value(allOf("simple_identifier")), // case left, right,
	},
})

// swiftType distinguishes extensions from definitions of types.
func swiftType(r *Reading, it tree.Node) []Ident {
	return changed(named, func(_ tree.Node, id *Ident) {
		before := strings.TrimLeft(r.Text[it.StartByte():id.At], " \t\r\n")
		id.Elsewhere = strings.HasPrefix(before, "extension") || strings.Contains(before, " extension ") ||
			strings.Contains(before, "\nextension ")
		*id = id.qualified(".")
	})(r, it)
}

// swiftPattern handles "var size" in a protocol.
func swiftPattern(r *Reading, it tree.Node) []Ident {
	n := it.ChildByFieldName("name")
	if n != nil && n.Type() != "simple_identifier" {
		n = r.deep(n, "simple_identifier")
	}
	return r.one(n)
}
