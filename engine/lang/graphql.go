package lang

var _ = add(Language{Name: "graphql",
	Extensions: "graphql gql",
	Layout: &Layout{Comments: hash, Open: `"""`, Close: `"""`,
		Defs: symbols(
			`^\s*(?:extend\s+)?(?:type|input|enum|interface|union|scalar|query|mutation|subscription|fragment|directive)\s+@?(\w+)`,
			`^\s+(\w+)(?:\([^)]*\)?)?\s*:\s*[\[\w]`)},
})
