package lang

var _ = add(Language{Name: "julia",
	Extensions: "jl",
	Programs:   "julia",
	Layout: &Layout{Comments: hash, Open: "#=", Close: "=#", Header: re(`^(?:using|import|export)\s`),
		Attribute: re(`^@\w+\s*$`),
		Defs: symbols(`^\s*(?:@\w+\s+)*function\s+(?:\w+\.)?([\w!]+)`, `^\s*(?:mutable\s+)?struct\s+(\w+)`,
			`^\s*(?:abstract|primitive)\s+type\s+(\w+)`,
			`^\s*(?:bare)?module\s+(\w+)`, `^\s*macro\s+(\w+)`, `^const\s+(\w+)`, `^([\w!]+)\([^=]*\)\s*(?:where[^=]*)?=[^=]`, `^([\w!]+)\s*=[^=]`)},
})
