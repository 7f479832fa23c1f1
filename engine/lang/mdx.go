package lang

import "regexp"

var _ = add(Language{Name: "mdx",
	// Exports and imports extend to an empty line outside of all brackets.
	Embedded: regexp.MustCompile("(?m)^ {0,3}(?:```|~~~)(?s:.*?)\n {0,3}(?:```|~~~)|" +
		`^()((?:export|import) .*(?:\n[^\r\n].*|(?:\r?\n)+(?:[ \t]+\S|[})\]]).*)*)`),
	NoNames:    true,
	Imports:    ImportScript,
	Extensions: "mdx",
	Family:     "javascript",
	Sight:      Named,
	Headings:   Markdown,
})
