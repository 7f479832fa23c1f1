package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

func phpVariable(r *Reading, it tree.Node) []Ident {
	n := r.child(it, "variable_name")
	if n == nil {
		return nil
	}
	id := r.ident(n)
	return []Ident{{Name: strings.TrimPrefix(id.Name, "$"), At: id.At + 1}}
}

// phpDefine finds define('NAME', …).
func phpDefine(r *Reading, it tree.Node) []Ident {
	if r.text(it.ChildByFieldName("function")) != "define" {
		return nil
	}
	return r.quoted(it.ChildByFieldName("arguments"))
}

// phpQuoted finds the method of a callable: [$this, 'name'], [Type::class, 'name'], ['Type', 'name'].
func phpQuoted(o *Occurrence) (bool, string) {
	for _, a := range o.near(3) {
		if a.kind != "array_creation_expression" || a.node.NamedChildCount() != 2 {
			continue
		}
		first := o.text(a.node.NamedChild(0))
		class, ok := strings.CutSuffix(first, "::class")
		switch bare := strings.Trim(first, `'"`); {
		case ok, first == "$this":
			return true, class
		case bare != first && inside(o.leaf, a.node.NamedChild(1)):
			return true, bare
		}
		return false, ""
	}
	return false, ""
}
