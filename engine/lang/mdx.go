package lang

var _ = add(Language{Name: "mdx",
	Extensions: "mdx",
	Family:     "javascript",
	Sight:      Named,
	Headings:   true,
})
