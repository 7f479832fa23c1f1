package lang

var _ = add(Language{Name: "asciidoc",
	Extensions: "adoc asciidoc asc",
	Sort:       Prose,
	Headings:   true,
})
