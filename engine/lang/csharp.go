package lang

var _ = add(Language{Name: "csharp",
	Extensions: "cs csx",
	Also:       "c# dotnet",
	Bare:       true,
	TypeBefore: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
