package lang

var _ = add(Language{Name: "sass",
	Extensions: "sass",
	Family:     "scss",
	Signs:      "-",
	Layout:     style,
})
