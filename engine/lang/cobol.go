package lang

var _ = add(Language{Name: "cobol",
	Extensions: "cbl cob cpy cobol",
	Fold:       true,
	Signs:      "-",
	Layout: &Layout{Comments: []string{"*>", "*"}, Defs: symbols(
		`(?i)^(?:.{6})?\s*program-id\.\s*([\w-]+)`,
		`(?i)^(?:[\d ]{6})?\s*\d\d\s+([\w-]*[A-Za-z][\w-]*)`,
		`(?i)^(?:[\d ]{6} )?\s{0,4}([\w-]*[A-Za-z][\w-]*)(?:\s+section)?\s*\.\s*$`),
		Reserved: []string{"END-IF", "END-PERFORM", "END-READ", "END-EVALUATE", "EXIT", "GOBACK", "STOP", "FILLER",
			"end-if", "end-perform", "end-read", "end-evaluate", "exit", "goback", "stop", "filler"}},
})
