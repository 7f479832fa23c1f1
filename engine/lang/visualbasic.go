package lang

var _ = add(Language{Name: "visualbasic",
	Extensions: "vb vbs bas",
	Also:       "vb vb.net vba",
	Family:     "csharp",
	Fold:       true,
	Layout: &Layout{Comments: []string{"'", "REM "}, Header: re(`(?i)^imports\b`), Attribute: re(`^\s*<\w[^>]*>\s*_?$`),
		Defs: symbols(
			`(?i)^\s*`+basicModifiers+`(?:sub|function|operator|property(?:\s+(?:get|let|set))?|class|module|structure|type|`+
				`interface|enum|event|delegate\s+(?:sub|function)|declare\s+(?:\w+\s+)?(?:sub|function))\s+(\w+)`,
			`(?i)^\s*`+basicModifiers+`const\s+(\w+)`,
			`(?i)^\s*(?:public|private|protected|friend|shared)\s+(?:(?:shared|readonly|withevents)\s+)*(\w+)\s+as\b`),
		Reserved: []string{"New", "Sub", "Function", "Property", "Class"}},
})

const basicModifiers = `(?:(?:public|private|protected|friend|shared|overrides|overridable|mustoverride|static|default|` +
	`readonly|writeonly|partial|async|shadows|notinheritable|mustinherit|overloads)\s+)*`
