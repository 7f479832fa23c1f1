package lang

import (
	"slices"
	"strings"

	"searchmcp/engine/lang/tree"
)

func luaVariables(r *Reading, it tree.Node) []Ident {
	value := it.ChildByFieldName("value")
	if r.imports(value) {
		return nil
	}
	out := slices.DeleteFunc(allOf("variable_declarator")(r, it), func(id Ident) bool {
		return strings.ContainsAny(id.Name, "[( ") || r.text(value) == id.Name // "local type = type" defines nothing
	})
	for i, id := range out {
		out[i] = id.qualified(".", ":")
		out[i].Function = value.Type() == "function"
	}
	return out
}

// luaField returns the functions in a table, but not its plain fields, which are data.
func luaField(r *Reading, it tree.Node) []Ident {
	if it.ChildByFieldName("value").Type() != "function" {
		return nil
	}
	return changed(typed("name identifier"), func(_ *Reading, _ tree.Node, id *Ident) { id.Function = true })(r, it)
}
