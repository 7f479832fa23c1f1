package lang

var _ = add(Language{Name: "elm",
	Extensions: "elm",
	Signs:      "'",
	Layout: &Layout{Members: append(members(`^type\s+[A-Z]`, `[=|]\s*([A-Z]\w*)`),
		members(`^type\s+alias\b`, `[{,]\s*([a-z]\w*)\s*:`)...),
		Comments: []string{"--"}, Open: "{-", Close: "-}", Header: re(`^(?:import|module|port module)\b`),
		Attribute: re(`^[a-z]\w*\s*:`), Defs: symbols(`^type(?:\s+alias)?\s+(\w+)`, `^(?:port\s+)?([a-z]\w*)\s*:`,
			`^([a-z]\w*)(?:\s[^=]*)?=`)},
})
