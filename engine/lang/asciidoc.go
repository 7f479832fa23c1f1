package lang

var _ = add(Language{Name: "asciidoc",
	NoNames:    true,
	Extensions: "adoc asciidoc asc",
	Sort:       Prose,
	Headings:   ASCIIDoc,
})
