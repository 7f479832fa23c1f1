package lang

var _ = add(Language{Name: "sql",
	Extensions: "sql psql mysql ddl",
	Fold:       true,
	Layout: &Layout{Comments: []string{"--"}, Open: "/*", Close: "*/",
		Defs: symbols(
			`(?i)^\s*(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:global\s+|local\s+|temp(?:orary)?\s+|unique\s+|materialized\s+|definer\s*=\s*\S+\s+|recursive\s+|unlogged\s+|external\s+|virtual\s+|(?:non)?editionable\s+|(?:no\s*)?force\s+)*(?:table|view|index|function|proc(?:edure)?|trigger|type|schema|sequence|domain|extension|database|role|user|policy|aggregate|event|package(?:\s+body)?)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?:["`+"`"+`\[]?[\w$]+["`+"`"+`\]]?\.)*(?:["`+"`"+`\[]([\w$ ]+)["`+"`"+`\]]|([\w$]+))`,
			`(?i)^\s*(?:procedure|function)\s+(\w+)`, `(?i)^\s*--\s*name:\s*(\w+)`)},
})
