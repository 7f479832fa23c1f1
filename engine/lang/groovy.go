package lang

var _ = add(Language{Name: "groovy",
	Extensions: "groovy gradle gvy jenkinsfile",
	Files:      "jenkinsfile",
	Programs:   "groovy",
	Family:     "java",
	Sight:      Package,
	Bare:       true,
	Type:       TypeBefore,
	Layout: &Layout{Members: members(`^\s*(?:\w+\s+)*(?:class|trait)\b`,
		`^\s*(?:(?:private|public|protected|static|final)\s+)*(?:[A-Z]\w*(?:<[^>]*>)?(?:\[\])?|int|boolean|long|double|`+
			`float|char|byte|short|def)\s+(\w+)\s*(?:=|;|$)`),
		Comments: slashes, Open: "/*", Close: "*/", Header: re(`^(?:import|package)\s`),
		Attribute: re(`^\s*@\w+(?:\(.*\))?\s*$`),
		Defs: append(symbols(modifiers+`(?:class|interface|enum|trait)\s+(\w+)`,
			modifiers+`(?:[\w<>\[\]]+\s+)?(\w+)\s*\([^)]*\)\s*\{`, `^\s*task\s+(\w+)`),
			places(`^\s*([a-z]\w+)\s*\{\s*$`)...)},
})
