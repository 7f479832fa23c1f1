package chunk

import (
	"cmp"
	"regexp"
	"strings"

	"searchmcp/engine/lang"
)

var (
	// dataScript matches the attributes of a script element with data. typedScript matches those of a script in
	// TypeScript.
	dataScript = regexp.MustCompile(`(?i)\btype\s*=\s*["']?(?:importmap|speculationrules|` +
		`text/(?:x-|template|html|plain)|application/(?:ld\+)?json|x-)`)
	typedScript = regexp.MustCompile(`(?i)\b(?:lang|type)\s*=\s*["']?(?:ts\b|typescript|text/typescript)`)
)

// Template reports whether a language is markup that contains code in another language, such as HTML or Vue.
func Template(language string) bool { return lang.Of(language).Embedded != nil }

// code returns the code in a file and its language. All other text is replaced with spaces.
func (f File) code() (language, text string, ok bool) {
	l := lang.Of(f.Language)
	if l.Rules != nil || l.Embedded == nil {
		return f.Language, f.Text, l.Rules != nil
	}
	language = l.Inner
	b := []byte(f.Text)
	from := 0
	for _, m := range l.Embedded.FindAllStringSubmatchIndex(f.Text) {
		g := lang.Group(m) // nil for example code in a document
		if m[0] < from || g == nil || dataScript.MatchString(f.Text[g[0]:g[1]]) {
			continue
		}
		start, end := g[2], g[3]
		if l.ClassBody {
			if start, end = start+1, lang.Closing(f.Text, start+1); end < 0 {
				end = len(f.Text) - 1
			}
		}
		lang.Blank(b[from:start])
		if l.ClassBody { // add "class _", because the grammar can't parse members alone
			if at := strings.LastIndexAny(f.Text[:start-1], " \t\n"); at > len("class ") {
				copy(b[at-len("class "):], "class _")
				b[start-1] = '{'
				end++
			}
		}
		if strings.HasPrefix(f.Text[m[0]:], "<%") {
			b[start-1] = ';' // separates <% … %> elements on one line
		}
		if typedScript.MatchString(f.Text[g[0]:g[1]]) {
			language = "typescript"
		}
		from, ok = end, true
	}
	if !ok {
		return "", "", false
	}
	lang.Blank(b[from:])
	return cmp.Or(language, "tsx"), string(b), true // scripts may contain elements or types
}

// Read returns the language and the text of a file. The text of a notebook is the code of its cells.
func Read(path string, data []byte) (language, text string) {
	if nb, ok := parseNotebook(path, data); ok {
		return nb.language(), nb.code(data)
	}
	return lang.OfFile(path, data), Decode(data)
}
