package lang

var _ = add(Language{Name: "tcl",
	Extensions: "tcl tk",
	Programs:   "tclsh wish",
	Layout: &Layout{Comments: hash, Defs: symbols(`^\s*(?:proc|method)\s+([\w:]+)`,
		`^\s*(?:oo::class create|namespace eval)\s+([\w:]+)`)},
})
