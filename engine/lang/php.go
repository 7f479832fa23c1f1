package lang

import "strings"

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
