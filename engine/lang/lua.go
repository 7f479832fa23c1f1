package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

func luaVariables(r *Reading, it tree.Node) []Ident {
	value := it.ChildByFieldName("value")
	if r.imports(value) {
		return nil
	}
	var out []Ident
	for k := range r.kids(it) {
		if k.Type() != "variable_declarator" {
			continue
		}
		id := r.ident(k)
		if strings.ContainsAny(id.Name, "[( ") || r.text(value) == id.Name {
			// "local type = type" defines nothing
			continue
		}
		id = id.qualified(".", ":")
		id.Function = value.Type() == "function"
		out = append(out, id)
	}
	return out
}

// luaField returns functions in tables as symbols, but not plain fields, which are data.
func luaField(r *Reading, it tree.Node) []Ident {
	if it.ChildByFieldName("value").Type() != "function" {
		return nil
	}
	return changed(typed("name identifier"), func(_ *Reading, _ tree.Node, id *Ident) { id.Function = true })(r, it)
}
