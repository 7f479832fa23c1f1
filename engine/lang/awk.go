package lang

var _ = add(Language{Name: "awk",
	Extensions: "awk",
	Programs:   "awk gawk",
	Layout:     &Layout{Comments: hash, Defs: symbols(`^function\s+(\w+)`)},
})
