package lang

var _ = add(Language{Name: "astro",
	Extensions: "astro",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
