package lang

var _ = add(Language{Name: "fsharp",
	Extensions: "fs fsi fsx",
	Also:       "f#",
	Family:     "csharp",
	Signs:      "'",
	Layout: &Layout{Comments: slashes, Open: "(*", Close: "*)", Header: re(`^open\s`), Attribute: re(`^\s*\[<.*>\]\s*$`),
		Members: append(members(`^\s*type\b[^=]*=`, `(?:^|\|)\s*([A-Z]\w*)\s+of\b`, `\|\s*([A-Z]\w*)`,
			`^\s*([A-Z]\w*)\s*\|`, `[{;]\s*(?:mutable\s+)?(\w+)\s*:`),
			members(`^\s*(?:type\b[^=]*=\s*\{?|\{)\s*$`, `^\s*(?:mutable\s+)?([A-Z]\w*)\s*:`)...),
		Defs: symbols(`^\s*(?:static\s+|abstract\s+|override\s+)*member\s+val\s+(?:private\s+|internal\s+)?(\w+)`,
			`^\s*let\s+(?:rec\s+|inline\s+|private\s+|mutable\s+)*([A-Za-z_][\w']*)`,
			`^\s*(?:type|and)\s+(?:private\s+|internal\s+)?(\w+)`,
			`^\s*module\s+(?:rec\s+|private\s+|internal\s+)?([\w.]+)`,
			`^\s*(?:static\s+|abstract\s+|override\s+)*member\s+(?:\w+\.)?(\w+)`, `^namespace\s+([\w.]+)`, `^\s*exception\s+(\w+)`)},
})
