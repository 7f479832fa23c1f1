package lang

var _ = add(Language{Name: "css",
	Extensions: "css",
	Family:     "scss",
	Signs:      "-",
	Layout:     style,
})
