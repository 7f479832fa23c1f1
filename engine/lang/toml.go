package lang

var _ = add(Language{Name: "toml",
	Extensions: "toml",
	Files:      "cargo.lock poetry.lock pipfile uv.lock",
	Sort:       Data,
	Layout:     &Layout{Comments: hash, Defs: places(`^\s*\[+\s*([^\]]+?)\s*\]`)},
})
