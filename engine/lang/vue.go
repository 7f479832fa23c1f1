package lang

var _ = add(Language{Name: "vue",
	Embedded:   scripts,
	Imports:    ImportScript,
	Extensions: "vue",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
