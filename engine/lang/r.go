package lang

var _ = add(Language{Name: "r",
	Extensions: "r",
	Programs:   "rscript",
	Signs:      ".",
	Layout: &Layout{Comments: hash, Header: re(`^(?:library|require)\(`), Defs: symbols(`^\s*([\w.]+)\s*(?:<-|=)\s*(?:function\b|\\\()`,
		`^([\w.]+)\s*<-`, `^setClass\("([^"]+)`, `^setMethod\("([^"]+)`, `^setGeneric\("([^"]+)`)},
})
