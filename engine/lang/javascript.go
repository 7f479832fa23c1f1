package lang

var _ = add(Language{Name: "javascript",
	Extensions: "js jsx mjs cjs es6",
	Programs:   "node nodejs",
	Also:       "js",
	Sight:      Named,
	TypeBehind: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
