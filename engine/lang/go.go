package lang

import (
	"strings"

	"searchmcp/engine/lang/tree"
)

// goMethod returns a method's name, prefixed by the type of its receiver.
func goMethod(r *Reading, it tree.Node) []Ident {
	out := named(r, it)
	if p := r.child(it.ChildByFieldName("receiver"), "parameter_declaration"); p != nil && len(out) > 0 {
		t := strings.TrimLeft(r.text(p.ChildByFieldName("type")), "*( ")
		if t = CleanName(Generic(strings.TrimRight(t, ") "))); t != "" {
			out[0].Prefix = []string{t}
		}
	}
	return out
}
