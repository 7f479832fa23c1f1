package lang

var _ = add(Language{Name: "ini",
	Extensions: "ini cfg conf properties editorconfig desktop service",
	Files:      ".editorconfig .gitconfig .gitmodules",
	Sort:       Data,
	Layout:     &Layout{Comments: []string{"#", ";"}, Defs: places(`^\s*\[\s*([^\]]+?)\s*\]`)},
})
