package lang

var _ = add(Language{Name: "ocaml",
	Extensions: "ml mli",
	Programs:   "ocaml",
	Signs:      "'",
	Layout: &Layout{Open: "(*", Close: "*)", Header: re(`^open\s`),
		Members: append(members(`^\s*(?:type|and)\b[^=]*=`, `(?:^|\|)\s*([A-Z]\w*)\s+of\b`, `\|\s*([A-Z]\w*)`,
			`^\s*([A-Z]\w*)\s*\|`, `[{;]\s*(?:mutable\s+)?([a-z_][\w']*)\s*:`),
			members(`^\s*(?:type|and)\b[^=]*=\s*\{?\s*$`, `^\s*(?:mutable\s+)?([a-z_][\w']*)\s*:`)...),
		Defs: symbols(`^\s*method!?\s+(?:private\s+|virtual\s+)*([a-z_][\w']*)`,
			`^\s*(?:let(?:\s+rec)?|and|val|external)\s+(?:mutable\s+|virtual\s+)*([a-z_][\w']*)`,
			`^\s*(?:type|and)\s+(?:(?:'\w+|\([^)]*\))\s+)?(?:nonrec\s+)?([a-z_]\w*)`,
			`^\s*module(?:\s+type|\s+rec)?\s+(\w+)`, `^\s*exception\s+(\w+)`, `^\s*class(?:\s+virtual)?\s+(\w+)`)},
})
