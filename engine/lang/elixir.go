package lang

var _ = add(Language{Name: "elixir",
	Extensions: "ex exs",
	Programs:   "elixir",
	Marked:     true,
	Bare:       true,
	Comments:   Comments{Lines: hash, Blocks: []Enclosed{{`"""`, `"""`}}},
})
