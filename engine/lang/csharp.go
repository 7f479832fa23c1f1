package lang

import (
	"regexp"
)

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
