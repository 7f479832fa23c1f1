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
		if strings.ContainsAny(id.Name, "[( ") || value != nil && r.text(value) == id.Name {
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
	v, n := it.ChildByFieldName("value"), it.ChildByFieldName("name")
	if v.Type() != "function" || n.Type() != "identifier" {
		return nil
	}
	id := r.ident(n)
	id.Function = true
	return []Ident{id}
}
