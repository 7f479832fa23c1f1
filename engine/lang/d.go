package lang

var _ = add(Language{Name: "d",
	Extensions: "d",
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re(`^(?:module|import)\b`),
		Reserved: []string{"if", "while", "for", "foreach", "switch", "return", "catch", "with", "else", "version", "debug"},
		Defs: append(symbols(`^\s*alias\s+(\w+)\s*=`,
			modifiers+`(?:[\w!\[\]*.]+\s+)+?([A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?:(?:const|pure|nothrow|@\w+)\s*)*(?:\{|=>|$)`),
			Fallback.Defs...)},
})
