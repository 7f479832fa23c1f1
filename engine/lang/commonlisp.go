package lang

var _ = add(Language{Name: "commonlisp",
	Extensions: "lisp lsp cl",
	Also:       "common-lisp",
	Fold:       true,
	Signs:      "-?!*+<>=",
	Layout:     lisp,
})
