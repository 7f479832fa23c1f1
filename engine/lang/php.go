package lang

var _ = add(Language{Name: "php",
	Extensions: "php phtml php5 php7 phps",
	Programs:   "php",
	Fold:       true,
	TypeBefore: true,
	Comments:   Comments{Lines: []string{"//", "#"}, Blocks: starred},
})
