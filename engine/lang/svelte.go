package lang

var _ = add(Language{Name: "svelte",
	Embedded:   scripts,
	Imports:    ImportScript,
	Extensions: "svelte",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
