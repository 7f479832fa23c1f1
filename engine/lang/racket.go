package lang

var _ = add(Language{Name: "racket",
	Extensions: "rkt",
	Programs:   "racket",
	Signs:      "-?!*+<>=",
	Layout:     lisp,
})
