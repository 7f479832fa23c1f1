package lang

var _ = add(Language{Name: "erb",
	Extensions: "erb",
	Family:     "ruby",
	Layout:     markup,
})
