package lang

var _ = add(Language{Name: "scheme",
	Extensions: "scm ss sld",
	Programs:   "guile",
	Signs:      "-?!*+<>=",
	Layout:     lisp,
})
