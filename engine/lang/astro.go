package lang

import "regexp"

var _ = add(Language{Name: "astro",
	Embedded:   regexp.MustCompile(`(?is)\A\s*---()\n(.*?\n)---|` + scriptElement),
	Inner:      "typescript",
	Imports:    ImportScript,
	Extensions: "astro",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
