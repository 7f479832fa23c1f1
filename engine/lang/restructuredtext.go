package lang

var _ = add(Language{Name: "restructuredtext",
	Extensions: "rst rest",
	Sort:       Prose,
	Headings:   true,
})
