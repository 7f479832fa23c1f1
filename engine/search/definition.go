package search

import (
	"slices"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// typeKinds are the kinds of declarations that a bare name prefers to a function or value. companionKinds accompany a
// class of the same name, such as a Scala object or a TypeScript namespace.
var (
	typeKinds = []string{"class", "struct", "interface", "trait", "protocol", "enum", "union", "type", "record",
		"object", "module", "namespace"}
	companionKinds = []string{"object", "module", "namespace"}
)

func isTypeKind(kind string) bool { return slices.Contains(typeKinds, kind) }

// definesType reports whether one of the declarations is a type with the given name, and if not, whether one is a
// companion.
func definesType(decls []api.Decl, name string) (defined, companion bool) {
	for _, d := range decls {
		if d.Name == name && slices.Contains(typeKinds, d.Kind) {
			if !slices.Contains(companionKinds, d.Kind) {
				return true, false
			}
			defined = true
		}
	}
	return defined, defined
}

// startsName reports whether a text begins in the middle of a name.
func startsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && isNamePart(r)
}

// endsName reports whether a text ends in the middle of a name.
func endsName(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && isNamePart(r)
}
