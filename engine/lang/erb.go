package lang

import "regexp"

var _ = add(Language{Name: "erb",
	Embedded:   regexp.MustCompile(`(?s)<%()[=-]?([^#%=-].*?)-?%>`),
	Inner:      "ruby",
	Extensions: "erb",
	Family:     "ruby",
	Layout:     markup,
})
