package lang

var _ = add(Language{Name: "vhdl",
	Apostrophes: true,
	Extensions:  "vhd vhdl",
	Fold:        true,
	Layout: &Layout{Comments: []string{"--"}, Header: re(`(?i)^(?:library|use)\b`),
		Defs: symbols(`(?i)^\s*(?:entity|architecture|package(?:\s+body)?|component|procedure|function|process)\s+(\w+)`)},
})
