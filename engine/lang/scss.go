package lang

var _ = add(Language{Name: "scss",
	Extensions: "scss",
	Signs:      "-",
	Layout:     style,
})
