package lang

var _ = add(Language{Name: "markdown",
	NoNames:    true,
	Extensions: "md markdown mkd mdown qmd rmd",
	Sort:       Prose,
	Headings:   Markdown,
})
