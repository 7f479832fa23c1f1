package lang

var _ = add(Language{Name: "scala",
	Extensions: "scala sc sbt",
	Programs:   "scala",
	Family:     "java",
	Sight:      Package,
	Bare:       true,
	TypeBehind: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
