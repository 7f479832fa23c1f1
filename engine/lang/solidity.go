package lang

var _ = add(Language{Name: "solidity",
	Extensions: "sol",
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re(`^(?:pragma|import)\b`),
		Members: members(`^\s*(?:abstract\s+)?(?:contract|library|interface)\b[^{]*\{?`,
			`^\s*(?:mapping\s*\(.*\)|[\w.\[\]]+)\s+(?:(?:public|private|internal|constant|immutable|override|transient)\s+)*(\w+)\s*(?:=|;)`,
			`\b(?:function|event|error|modifier|struct|enum)\s+(\w+)`),
		Defs: symbols(`^\s*[\w.\[\]]+\s+constant\s+(\w+)\s*=`, `^\s*type\s+(\w+)\s+is\b`,

			`^\s*(?:abstract\s+)?(?:contract|interface|library|struct|enum|event|error|modifier|function)\s+(\w+)`)},
})
