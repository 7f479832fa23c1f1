package lang

var _ = add(Language{Name: "csv",
	Extensions: "csv tsv",
	Sort:       Data,
})
