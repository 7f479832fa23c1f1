package lang

var _ = add(Language{Name: "tsx",
	Extensions: "tsx",
	Family:     "javascript",
	Sight:      Named,
	TypeBehind: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
	Rules:      typescriptRules,
})
