package lang

var _ = add(Language{Name: "vue",
	Extensions: "vue",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
