package lang

var _ = add(Language{Name: "less",
	Extensions: "less",
	Family:     "scss",
	Signs:      "-",
	Layout:     style,
})
