package lang

var _ = add(Language{Name: "dockerfile",
	Extensions: "dockerfile",
	Files:      "dockerfile containerfile",
	Also:       "docker",
	Layout: &Layout{Comments: hash, Defs: append(symbols(`(?i)^from\s+\S+\s+as\s+(\S+)`, `(?i)^(?:arg|env)\s+(\w+)`),
		places(`(?i)^from\s+(\S+)`)...)},
})
