package lang

var _ = add(Language{Name: "java",
	Extensions: "java",
	Sight:      Package,
	Bare:       true,
	TypeBefore: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
