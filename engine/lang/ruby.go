package lang

import "searchmcp/engine/lang/tree"

// rubyCall returns the description in a call such as describe "name".
func rubyCall(r *Reading, it tree.Node) []Ident {
	if r.inLine(it) || !testCalls[r.text(it.ChildByFieldName("method"))] {
		return nil
	}
	return r.described(it.ChildByFieldName("arguments"))
}
