package lang

var _ = add(Language{Name: "restructuredtext",
	NoNames:    true,
	Extensions: "rst rest",
	Sort:       Prose,
	Headings:   ReStructured,
})
