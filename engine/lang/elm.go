package lang

var _ = add(Language{Name: "elm",
	Extensions: "elm",
	Signs:      "'",
	Layout: &Layout{Comments: []string{"--"}, Open: "{-", Close: "-}", Header: re(`^(?:import|module|port module)\b`),
		Attribute: re(`^[a-z]\w*\s*:`), Defs: symbols(`^type(?:\s+alias)?\s+(\w+)`, `^(?:port\s+)?([a-z]\w*)\s*:`,
			`^([a-z]\w*)(?:\s[^=]*)?=`)},
})
