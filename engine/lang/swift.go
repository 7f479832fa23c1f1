package lang

var _ = add(Language{Name: "swift",
	Extensions: "swift",
	Programs:   "swift",
	Bare:       true,
	TypeBehind: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
