package lang

import (
	"regexp"
	"strings"
)

// phpQuoted recognizes method names in callables such as [$this, 'name'] and ['Type', 'name'].
func phpQuoted(o *Occurrence) (bool, string) {
	for _, a := range o.near(3) {
		if a.Type() != "array_creation_expression" || (a.NamedChild(1) == nil || a.NamedChild(2) != nil) {
			continue
		}
		first := o.text(a.NamedChild(0))
		class, ok := strings.CutSuffix(first, "::class")
		switch bare := strings.Trim(first, `'"`); {
		case ok, first == "$this":
			return true, class
		case bare != first && inside(o.leaf, a.NamedChild(1)):
			return true, bare
		}
		return false, ""
	}
	return false, ""
}

// hooks matches the property hooks of PHP 8.4.
var hooks = regexp.MustCompile(`\$[\pL_][\pL\pN_]*[^;(){}]*(\{)\s*(?:final\s+)?&?\s*(?:get|set)\b`)

// withoutHooks replaces property hooks by spaces, because the grammar can't parse them.
func withoutHooks(text string) string {
	b := []byte(text)
	for _, m := range hooks.FindAllStringSubmatchIndex(text, -1) {
		if end := Closing(text, m[3]); end >= 0 {
			Blank(b[m[2] : end+1])
			b[m[2]] = ';'
		}
	}
	return string(b)
}
