package lang

var _ = add(Language{Name: "assembly",
	Extensions: "s asm",
	Also:       "assembler",
	Layout: &Layout{Comments: []string{";", "#", "//", "@"}, Open: "/*", Close: "*/", Defs: symbols(`^([A-Za-z_.$][\w.$]*):`,
		`^(?:ENTRY|SYM_FUNC_START|TEXT)\(?\s*·?(\w+)`, `^TEXT\s+·?([\w.]+)`)},
})
