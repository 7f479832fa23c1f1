package lang

var _ = add(Language{Name: "puppet",
	Layout: &Layout{Comments: hash, Defs: symbols(`^\s*(?:class|define|node)\s+([\w:]+)`)},
})
