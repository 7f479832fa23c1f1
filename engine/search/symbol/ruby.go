package symbol

import (
	"strings"

	"searchmcp/engine/index/chunk"
)

// Marked reports whether names of a language may end in ! or ?, by which they are others than without.
func Marked(language string) bool {
	return language == "ruby" || language == "elixir" || language == "crystal"
}

// marked reports whether a name goes on with such a sign, behind what was looked for.
func marked(rest string) bool {
	return len(rest) > 0 && (rest[0] == '!' || rest[0] == '?') && !strings.HasPrefix(rest[1:], "=")
}

// supers adds the calls of an inherited method that do not name it: super of Ruby, in a method of the same name.
func (x *extraction) supers(out *File) {
	if x.d.Language != "ruby" || x.d.Root == nil {
		return
	}
	const word = "super"
	for _, m := range x.d.Definitions {
		if m.Name != x.name || m.Kind != chunk.KindMethod {
			continue
		}
		for at := m.Start; at < m.End; at += len(word) {
			i := strings.Index(x.d.Text[at:m.End], word)
			if i < 0 {
				break
			}
			at += i
			leaf := x.d.Root.Named(at, at+len(word))
			if leaf == nil || leaf.Type() != word || !wordAt(x.d.Text, at, len(word)) {
				continue
			}
			x.add(out, Reference{Line: x.d.LineAt(at), Column: x.column(at), Role: Call, Receiver: word,
				Expr: x.own(leaf).step("^")}, at)
		}
	}
}
