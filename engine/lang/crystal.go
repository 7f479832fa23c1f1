package lang

var _ = add(Language{Name: "crystal",
	Extensions: "cr",
	Marked:     true,
	Layout: &Layout{Members: members("", `^\s*(?:class_)?(?:property|getter|setter)[?!]?\s+@?(\w+)`,
		`^\s*record\s+(\w+)`), Comments: hash, Header: re(`^require\s`), Attribute: re(`^\s*@\[.*\]\s*$`),
		Defs: symbols(`^\s*(?:private\s+|protected\s+|abstract\s+)*(?:def|macro|fun)\s+(?:self\.)?([\w?!=<>+*/\[\]-]+)`,
			`^\s*(?:private\s+|abstract\s+)*(?:class|module|struct|enum|lib|annotation|alias)\s+([\w:]+)`,
			`^\s*([A-Z][A-Z_0-9]*)\s*=`)},
})
