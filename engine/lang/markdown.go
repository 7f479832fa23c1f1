package lang

var _ = add(Language{Name: "markdown",
	Extensions: "md markdown mkd mdown qmd rmd",
	Sort:       Prose,
	Headings:   true,
})
