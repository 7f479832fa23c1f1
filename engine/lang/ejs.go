package lang

import "regexp"

var _ = add(Language{Name: "ejs",
	Embedded:   regexp.MustCompile(`(?is)<%()[=_-]?([^#%=_-].*?)[_-]?%>|` + scriptElement),
	Imports:    ImportScript,
	Extensions: "ejs",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
