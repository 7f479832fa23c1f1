package lang

var _ = add(Language{Name: "kotlin",
	Extensions: "kt kts",
	Programs:   "kotlin",
	Family:     "java",
	Sight:      Package,
	Bare:       true,
	TypeBehind: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
