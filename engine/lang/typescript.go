package lang

var _ = add(Language{Name: "typescript",
	Extensions: "ts mts cts",
	Programs:   "deno bun ts-node tsx",
	Family:     "javascript",
	Sight:      Named,
	TypeBehind: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
