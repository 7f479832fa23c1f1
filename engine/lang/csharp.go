package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

// csharpOperator returns names such as "operator +".
func csharpOperator(r *Reading, it tree.Node) []Ident {
	text, at := r.own(it)
	i := strings.Index(text, "operator")
	open := strings.IndexByte(text, '(')
	if i < 0 || open < i {
		return nil
	}
	return []Ident{{Name: strings.TrimSpace(text[i:open]), At: at + i}}
}

// bodiless matches a type that ends in a semicolon instead of a body, which the grammar only parses for records.
var bodiless = regexp.MustCompile(`(?m)^[ \t]*(?:\[[^\]\n]*\]\s*)*(?:[a-z]+[ \t]+)*(?:class|struct|interface)\s+[\pL_][\pL\pN_]*` +
	`(?:[^{}();/]|\((?:[^(){};/]|\([^(){};/]*\))*\))*(;\s)`)

// withBodies replaces the semicolon of such types and the following character by an empty body.
func withBodies(text string) string {
	b := []byte(text)
	for _, m := range bodiless.FindAllStringSubmatchIndex(text, -1) {
		copy(b[m[2]:], "{}")
	}
	return string(b)
}
