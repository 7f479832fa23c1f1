package lang

var _ = add(Language{Name: "go",
	Extensions: "go",
	Also:       "golang",
	Sight:      Package,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
