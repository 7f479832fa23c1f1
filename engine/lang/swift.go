package lang

import (
	"cmp"

	"searchmcp/engine/lang/tree"
)

// swiftPattern returns the name of a property.
func swiftPattern(r *Reading, it tree.Node) []Ident {
	n := it.ChildByFieldName("name")
	return r.one(cmp.Or(r.deep(n, "simple_identifier"), n))
}
