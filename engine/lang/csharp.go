package lang

import (
	"regexp"
)

// bodiless matches a type that ends with a semicolon instead of a body, which the grammar can parse only for a record.
var bodiless = regexp.MustCompile(`(?m)^[ \t]*(?:\[[^\]\n]*\]\s*)*(?:[a-z]+[ \t]+)*(?:class|struct|interface)\s+[\pL_][\pL\pN_]*` +
	`(?:[^{}();/]|\((?:[^(){};/]|\([^(){};/]*\))*\))*(;\s)`)

// withBodies replaces the semicolon of each type that bodiless matches, and the white space character after it, with an
// empty body, {}.
func withBodies(text string) string {
	b := []byte(text)
	for _, m := range bodiless.FindAllStringSubmatchIndex(text, -1) {
		copy(b[m[2]:], "{}")
	}
	return string(b)
}
