package symbol

import (
	"regexp"
	"strings"

	"searchmcp/engine/index/chunk"
)

// itemBefore matches what begins an item of Rust before its name.
var itemBefore = regexp.MustCompile(
	`(?:^|[\s{};(])(fn|struct|enum|trait|union|mod|const|static|type)\s+(?:ref\s+|mut\s+)?$`)

// macroItem is the kind of what a name defines in a macro of Rust that the grammar leaves unread: in macro_rules!, in
// bitflags!; "" if it defines nothing there. Statements in the arguments of a macro inside a function define nothing.
func (x *extraction) macroItem(at int, up []ancestor) chunk.Kind {
	if x.d.Language != "rust" || len(up) == 0 || up[0].kind != "token_tree" {
		return ""
	}
	m := itemBefore.FindStringSubmatch(x.d.Text[max(0, at-20):at])
	if m == nil {
		return ""
	}
	for n := up[0].node; n != nil; n = n.Parent() {
		if n.Type() == "block" {
			return ""
		}
	}
	switch m[1] {
	case "fn":
		if rest := strings.TrimLeft(x.d.Text[at+len(x.name):], " "); strings.HasPrefix(rest, "(") &&
			strings.Contains(rest[:min(len(rest), 30)], "self") {
			return chunk.KindMethod
		}
		return chunk.KindFunction
	case "mod":
		return "namespace"
	case "const", "static":
		return "constant"
	case "type":
		return chunk.KindType
	}
	return chunk.Kind(m[1])
}
