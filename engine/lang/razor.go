package lang

import "regexp"

var _ = add(Language{Name: "razor",
	Embedded:   regexp.MustCompile(`(?m)^[ \t]*@(?:code|functions)()[ \t\r\n]*(\{)`),
	Inner:      "csharp",
	Members:    true,
	Extensions: "razor cshtml",
	Family:     "csharp",
	Layout:     markup,
})
