package lang

var _ = add(Language{Name: "pascal",
	Extensions: "pas pp dpr lpr",
	Fold:       true,
	Layout: &Layout{Members: members("", `(?i)^unit\s+([\w.]+)`), Comments: slashes, Open: "{", Close: "}", Header: re(`(?i)^(?:unit|uses|program)\b`),
		Defs: symbols(`(?i)^\s*(?:class\s+)?(?:procedure|function|constructor|destructor)\s+([\w.]+)`,
			`(?i)^\s*(\w+)\s*=\s*(?:class|record|interface|packed)`)},
})
