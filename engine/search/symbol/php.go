package symbol

import (
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

// callable reports whether an occurrence in a string names a method of PHP beside its class, [Type::class, 'name'].
func (x *extraction) callable(leaf tree.Node, r *Reference) bool {
	if x.d.Language != "php" || !textual(leaf.Type()) {
		return false
	}
	up := climb(leaf)
	for _, a := range up[:min(3, len(up))] {
		if a.kind != "array_creation_expression" {
			continue
		}
		class, ok := strings.CutSuffix(x.text(child(a.node, "0")), "::class")
		r.Role, r.Receiver, r.Expr, r.Type = Call, class, typed(class), class
		return ok
	}
	return false
}
