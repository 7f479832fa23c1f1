package lang

var _ = add(Language{Name: "html",
	Embedded:   scripts,
	Imports:    ImportScript,
	Extensions: "html htm xhtml tmpl gohtml hbs mustache jinja j2 twig",
	Family:     "javascript",
	Layout:     markup,
})
