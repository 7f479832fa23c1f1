package lang

var _ = add(Language{Name: "ada",
	Apostrophes: true,
	Extensions:  "adb ads ada",
	Fold:        true,
	Layout: &Layout{Comments: []string{"--"}, Header: re(`(?i)^(?:with|use)\b`),
		Defs: symbols(`(?i)^\s*(?:procedure|function|package(?:\s+body)?|type|subtype|task|protected)\s+([\w.]+)`)},
})
