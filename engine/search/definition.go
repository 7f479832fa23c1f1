package search

import (
	"slices"
	"unicode/utf8"
)

// typeKinds are the kinds of declarations that rank above functions and values if the query is a bare name.
var typeKinds = []string{"class", "struct", "interface", "trait", "protocol", "enum", "union", "type", "record",
	"object", "module", "namespace"}

func isTypeKind(kind string) bool { return slices.Contains(typeKinds, kind) }

// startsName reports whether s begins with a character of a name.
func startsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && isNamePart(r)
}

// endsName reports whether s ends with a character of a name.
func endsName(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && isNamePart(r)
}
