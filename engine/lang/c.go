package lang

var _ = add(Language{Name: "c",
	Extensions: "c h",
	Sight:      Included,
	TypeBefore: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
