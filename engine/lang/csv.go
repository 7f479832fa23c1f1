package lang

var _ = add(Language{Name: "csv",
	NoNames:    true,
	Extensions: "csv tsv",
	Sort:       Data,
})
