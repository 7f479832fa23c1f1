package lang

var _ = add(Language{Name: "makefile",
	Extensions: "mk mak make",
	Files:      "makefile gnumakefile justfile",
	Programs:   "make",
	Signs:      "-",
	Layout: &Layout{Comments: hash, Attribute: re(`^\.PHONY\b`),
		Defs: symbols(`^([\w./%-]+)(?:\s+[\w./%-]+)*\s*::?(?:[^=]|$)`, `^(?:export\s+|override\s+)?(\w+)\s*[:?+]?=`,
			`^define\s+(\w+)`)},
})
