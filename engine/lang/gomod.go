package lang

var _ = add(Language{Name: "gomod",
	Extensions: "mod",
	Files:      "go.mod go.work",
	Layout:     &Layout{Comments: slashes, Defs: places(`^(module|require|replace|exclude|retract)\b`)},
})
