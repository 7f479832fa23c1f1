package lang

var _ = add(Language{Name: "powershell",
	Extensions: "ps1 psm1 psd1",
	Programs:   "pwsh",
	Fold:       true,
	Signs:      "-",
	Layout: &Layout{Comments: hash, Open: "<#", Close: "#>", Header: re(`(?i)^(?:using|import-module|#requires)\b`),
		Defs: symbols(`(?i)^\s*(?:function|filter|workflow)\s+(?:\w+:)?([\w-]+)`, `(?i)^\s*(?:class|enum)\s+(\w+)`,
			`^\s*(?:static\s+|hidden\s+)*\[[\w\[\].]+\]\s*(\w+)\s*\(`)},
})
