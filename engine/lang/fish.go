package lang

var _ = add(Language{Name: "fish",
	Extensions: "fish",
	Programs:   "fish",
	Signs:      "-",
	Layout:     &Layout{Comments: hash, Defs: symbols(`^\s*function\s+([\w-]+)`)},
})
