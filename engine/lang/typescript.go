package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

var _ = add(Language{Name: "typescript",
	Imports:    ImportScript,
	Extensions: "ts mts cts",
	Programs:   "deno bun ts-node tsx",
	Family:     "javascript",
	Sight:      Named,
	Type:       TypeColon,
	Comments:   Comments{Lines: slashes, Blocks: starred},
	Rules:      typescriptRules,
	Retry:      []Change{separated},
})

var typescriptRules = scriptRules.with(rules{
	"public_field_definition":    valueWithin(scriptField("name")),
	"abstract_class_declaration": scope(named),
	"interface_declaration":      scope(named),
	"interface_body object_type": within,
	"method_signature":           value(scriptKey("name")),
	"abstract_method_signature":  value(scriptKey("name")),
	"function_signature":         value(named),
	"enum_declaration":           scope(named),
	"enum_body":                  {Defines: DefinesValue, Names: allOf("property_identifier"), Inside: true},
	"enum_assignment":            value(scriptKey("name")),
	"type_alias_declaration":     value(named),
	"internal_module module":     scope(scriptModule),
	"ambient_declaration":        shell,
	"satisfies_expression":       deep,
	"as_expression":              deep,
})

var scriptModule = changed(named, func(_ tree.Node, id *Ident) { *id = unquote(*id).qualified(".") })

// signature matches the beginning of a call signature in an interface, which the grammar takes for a part of the
// previous line.
var signature = regexp.MustCompile(`(?m)^[ \t]+(?:\(|<(?:[A-Za-z_]|\r?$))`)

// separated inserts missing semicolons between the lines of interfaces, replacing white space.
func separated(text string) (string, int) {
	b := []byte(text)
	for _, m := range signature.FindAllStringIndex(text, -1) {
		before := strings.TrimRight(text[:m[0]], " \t\r\n")
		for {
			line := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
			i := strings.LastIndexByte(before, '\n')
			if i < 0 || !BeginsWith(line, "//", "*", "/*") {
				break
			}
			before = strings.TrimRight(before[:i], " \t\r\n")
		}
		if before == "" {
			continue
		}
		if c := before[len(before)-1]; !WordByte(c) && !strings.ContainsRune(`>)]}'"`, rune(c)) ||
			strings.HasSuffix(before, "=>") {
			continue
		}
		at := m[0]
		for text[at] == ' ' || text[at] == '\t' {
			at++
		}
		b[at-1] = ';'
	}
	return string(b), 0
}
