package lang

var _ = add(Language{Name: "gdscript",
	Extensions: "gd",
	Layout: &Layout{Comments: hash, Attribute: re(`^@\w+\s*$`), Defs: symbols(`^\s*(?:static\s+)?func\s+(\w+)`,
		`^\s*class(?:_name)?\s+(\w+)`, `^(?:@\w+(?:\([^)]*\))?\s+)*(?:const|var|signal|enum)\s+(\w+)`)},
})
