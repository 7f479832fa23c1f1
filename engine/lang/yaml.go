package lang

var _ = add(Language{Name: "yaml",
	Extensions: "yaml yml",
	Files:      ".clang-format .clang-tidy yarn.lock",
	Sort:       Data,
	Layout:     &Layout{Comments: hash, Defs: places(`^\s*(?:-\s+)?["']?([A-Za-z_][\w.$/ -]*?)["']?:(?:\s|$)`)},
})
