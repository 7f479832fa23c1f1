package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

// pythonDocstring returns RoleHeader for the documentation string at the top of a module.
func pythonDocstring(r *Reading, it tree.Node) Role {
	text, at := r.own(it)
	if (text[0] == '"' || text[0] == '\'') && strings.TrimLeft(r.Text[:at], "# \t\r\n") == "" {
		return RoleHeader
	}
	return RoleCode
}

var typeComment = regexp.MustCompile(`^#\s*type:`)

// pythonQuoted recognizes types in quotes and comments, and the names in __all__.
func pythonQuoted(o *Occurrence) (bool, string) {
	if o.Comment {
		return typeComment.MatchString(o.Leaf), ""
	}
	for _, a := range o.near(6) {
		switch a.Type() {
		case "type":
			return true, ""
		case "assignment":
			return strings.HasPrefix(o.Text[a.StartByte():], "__all__"), ""
		case "call":
			f := strings.TrimPrefix(o.text(a.ChildByFieldName("function")), "typing.")
			return f == "cast" || f == "ForwardRef" || f == "TypeVar", ""
		}
	}
	return false, ""
}
