package lang

var _ = add(Language{Name: "objective-c",
	Arrow:         true,
	Static:        true,
	FieldKeys:     true,
	BareConstants: true,
	Extensions:    "mm",
	Also:          "objc objectivec",
	Family:        "c",
	Sight:         Included,
	Bare:          true,
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/",
		Header: re(`^\s*(?:#\s*(?:import|include)|@import|@class)\b`),
		Defs: symbols(`^@(?:interface|implementation|protocol)\s+(\w+)`, `^\s*[-+]\s*\([^)]*\)\s*(\w+)`,
			`^\s*@property\b.*?(\w+);`, `^#\s*define\s+(\w+)`,
			`^typedef\s+(?:NS_(?:ENUM|OPTIONS)\([^,]*,\s*)?(?:struct|enum|union)?\s*(\w+)`,
			`^(?:[A-Za-z_][\w*]*\s+)+\*?([A-Za-z_]\w*)\s*\([^;]*$`)},
})
