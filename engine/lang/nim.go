package lang

var _ = add(Language{Name: "nim",
	Extensions: "nim nims nimble",
	Layout: &Layout{Comments: hash, Open: "#[", Close: "]#", Header: re(`^(?:import|from|include|export)\s`),
		Defs: symbols(`^\s*(?:proc|func|method|iterator|template|macro|converter)\s+`+"`?"+`(\w+|[=+*/<>$-]+)`,
			`^(?:\s+|type\s+)(\p{Lu}\w*)\*?\s*(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\.\})?\s*=\s*(?:ref|object|enum|tuple|distinct|ptr|proc)`,
			`^(?:const|let|var)\s+(\w+)`)},
})
