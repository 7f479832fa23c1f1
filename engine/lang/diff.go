package lang

var _ = add(Language{Name: "diff",
	Extensions: "diff patch",
	Sort:       Prose,
})
