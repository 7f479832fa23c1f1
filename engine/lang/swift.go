package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

// swiftType returns the name of a type, marked as defined elsewhere if the node is an extension.
func swiftType(r *Reading, it tree.Node) []Ident {
	return changed(named, func(_ tree.Node, id *Ident) {
		before := strings.TrimLeft(r.Text[it.StartByte():id.At], " \t\r\n")
		id.Elsewhere = strings.HasPrefix(before, "extension") || strings.Contains(before, " extension ") ||
			strings.Contains(before, "\nextension ")
		*id = id.qualified(".")
	})(r, it)
}

// swiftPattern returns the name of a property, also for "var size" in a protocol.
func swiftPattern(r *Reading, it tree.Node) []Ident {
	n := it.ChildByFieldName("name")
	if n != nil && n.Type() != "simple_identifier" {
		n = r.deep(n, "simple_identifier")
	}
	return r.one(n)
}
