package lang

import (
	"regexp"
	"strings"

	"searchmcp/engine/lang/tree"
)

// csharpOperator finds "operator +".
func csharpOperator(r *Reading, it tree.Node) []Ident {
	text, at := r.own(it)
	i := strings.Index(text, "operator")
	open := strings.IndexByte(text, '(')
	if i < 0 || open < i {
		return nil
	}
	return []Ident{{Name: strings.TrimSpace(text[i:open]), At: at + i}}
}

// bodiless matches a structure of parameters alone, which the grammar reads of a record only.
var bodiless = regexp.MustCompile(`\b(struct)\s+[\pL_][\pL\pN_]*(?:<[^<>]*>)?\s*\([^()]*\)[^{}();]*;`)

// structsAsRecords writes such structures as records, so that every offset stays.
func structsAsRecords(text string) string {
	var b []byte
	for _, m := range bodiless.FindAllStringSubmatchIndex(text, -1) {
		if strings.HasSuffix(strings.TrimRight(text[:m[2]], " \t\r\n"), "record") {
			continue
		}
		if b == nil {
			b = []byte(text)
		}
		copy(b[m[2]:], "record")
	}
	if b == nil {
		return text
	}
	return string(b)
}
