package lang

import (
	"searchmcp/engine/lang/tree"
)

func scalaPattern(r *Reading, it tree.Node) []Ident {
	if n := it.ChildByFieldName("pattern"); n != nil && n.Type() == "identifier" {
		return r.one(n)
	}
	return nil
}
