package lang

var _ = add(Language{Name: "d",
	Extensions: "d",
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re(`^(?:module|import)\b`),
		Defs: Fallback.Defs},
})
