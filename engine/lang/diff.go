package lang

var _ = add(Language{Name: "diff",
	NoNames:    true,
	Extensions: "diff patch",
	Sort:       Prose,
})
