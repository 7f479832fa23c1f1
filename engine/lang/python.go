package lang

var _ = add(Language{Name: "python",
	Extensions: "py pyi pyw",
	Files:      "sconstruct sconscript wscript",
	Programs:   "python pypy",
	Sight:      Named,
	TypeBehind: true,
	Comments:   Comments{Lines: hash, Blocks: []Enclosed{{`"""`, `"""`}, {"'''", "'''"}, {`r"""`, `"""`}}},
})
