package lang

var _ = add(Language{Name: "cmake",
	Extensions: "cmake",
	Files:      "cmakelists.txt",
	Fold:       true,
	Layout: &Layout{Comments: hash,
		Defs: symbols(
			`(?i)^\s*(?:function|macro|add_executable|add_library|add_custom_target|option|project)\s*\(\s*([\w.:-]+)`)},
})
