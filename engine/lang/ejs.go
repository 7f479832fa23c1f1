package lang

var _ = add(Language{Name: "ejs",
	Extensions: "ejs",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
