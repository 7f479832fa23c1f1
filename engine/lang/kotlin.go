package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

// kotlinFunction returns a function's name, prefixed by the extended type of an extension function.
func kotlinFunction(r *Reading, it tree.Node) []Ident {
	return kotlinReceiver(r, it, r.child(it, "simple_identifier"))
}

// delegation matches "by delegate".
var (
	delegation = re(`(?m)[\pL\pN_>)?]([ \t]+by[ \t]+[\pL\pN_.]+(?:\([^()\n]*\)|<[^<>\n]*>)*)[ \t]*(?:[,{]|\r?$)`)
	property   = regexp.MustCompile(`^[ \t]*(?:[\pL@]+[ \t]+)*va[lr][ \t]`)
	object     = regexp.MustCompile(`\bobject[ \t]*:`)
)

// undelegated replaces "by delegate" after a class's interfaces by spaces, because the grammar can't parse it.
func undelegated(text string) string {
	b := []byte(text)
	for _, m := range delegation.FindAllStringSubmatchIndex(text) {
		lead := text[strings.LastIndexByte(text[:m[2]], '\n')+1 : m[2]]
		if !property.MatchString(lead) || object.MatchString(lead) {
			Blank(b[m[2]:m[3]])
		}
	}
	return string(b)
}

func kotlinReceiver(r *Reading, it tree.Node, n tree.Node) []Ident {
	out := r.one(n)
	if t := r.child(it, "user_type nullable_type"); t != nil && n != nil && t.StartByte() < n.StartByte() {
		out[0].Prefix = []string{Generic(strings.TrimRight(r.text(t), "?"))}
	}
	return out
}

func kotlinProperty(r *Reading, it tree.Node) []Ident {
	return kotlinReceiver(r, it, r.child(r.child(it, "variable_declaration"), "simple_identifier"))
}

// companion matches a companion object in one line, which the grammar can't parse.
var companion = regexp.MustCompile(`(?m)^.*\{.*\bcompanion\s+object\b.*\}`)

func companions(text string) string {
	return companion.ReplaceAllStringFunc(text, func(line string) string {
		return strings.NewReplacer("{ ", "{\n", " }", "\n}", "; ", ";\n").Replace(line)
	})
}
