package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

// kotlinFunction returns a function's name. For an extension function, the prefix is the extended type.
func kotlinFunction(r *Reading, it tree.Node) []Ident {
	return kotlinReceiver(r, it, r.child(it, "simple_identifier"))
}

// delegation matches "by delegate". property matches a line in which the grammar can parse it, and object an exception.
var (
	delegation = re(`(?m)[\pL\pN_>)?]([ \t]+by[ \t]+[\pL\pN_.]+(?:\([^()\n]*\)|<[^<>\n]*>)*)[ \t]*(?:[,{]|\r?$)`)
	property   = regexp.MustCompile(`^[ \t]*(?:[\pL@]+[ \t]+)*va[lr][ \t]`)
	object     = regexp.MustCompile(`\bobject[ \t]*:`)
)

// undelegated blanks "by delegate" after a class's interfaces, because the grammar would lose the class's body.
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

// kotlinReceiver returns the name in n, prefixed by the type before it, if any.
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

// companion matches a line with the whole body of a companion object. The grammar requires its braces on separate
// lines.
var companion = regexp.MustCompile(`(?m)^.*\{.*\bcompanion\s+object\b.*\}`)

func companions(text string) string {
	return companion.ReplaceAllStringFunc(text, func(line string) string {
		return strings.NewReplacer("{ ", "{\n", " }", "\n}", "; ", ";\n").Replace(line)
	})
}
