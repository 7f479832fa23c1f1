package lang

var _ = add(Language{Name: "razor",
	Extensions: "razor cshtml",
	Family:     "csharp",
	Layout:     markup,
})
