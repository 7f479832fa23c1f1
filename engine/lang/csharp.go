package lang

import (
	"regexp"
)

// bodiless matches a type that ends with a semicolon instead of a body. The grammar can parse such a type only if it is
// a record.
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
