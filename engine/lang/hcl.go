package lang

var _ = add(Language{Name: "hcl",
	Extensions: "tf tfvars hcl nomad",
	Also:       "terraform",
	Sort:       Data,
	Layout: &Layout{Comments: []string{"#", "//"}, Open: "/*", Close: "*/",
		Members: members(`^locals\b`, `^\s+([\w-]+)\s*=`),
		Defs: symbols(`^(?:resource|data)\s+"[^"]+"\s+"([^"]+)"`,
			`^(?:variable|output|module|provider|job|group|task|source|build|check|run)\s+"([^"]+)"`)},
})
