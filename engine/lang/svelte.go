package lang

var _ = add(Language{Name: "svelte",
	Extensions: "svelte",
	Family:     "javascript",
	Sight:      Named,
	Layout:     markup,
})
