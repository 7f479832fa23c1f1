package lang

var _ = add(Language{Name: "tsx",
	Imports:    ImportScript,
	Extensions: "tsx",
	Family:     "javascript",
	Sight:      Named,
	Type:       TypeColon,
	Comments:   Comments{Lines: slashes, Blocks: starred},
	Rules:      typescriptRules,
})
