package lang

var _ = add(Language{Name: "rust",
	Extensions: "rs",
	Sight:      Named,
	TypeBehind: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
