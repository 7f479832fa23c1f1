package lang

var _ = add(Language{Name: "vim",
	Extensions: "vim vimrc",
	Files:      ".vimrc _vimrc .gvimrc",
	Also:       "viml vimscript",
	Layout: &Layout{Comments: []string{`"`}, Defs: symbols(`^\s*fu(?:nction)?!?\s+(?:[sgb]:)?([\w#:.]+)`,
		`^\s*def!?\s+([\w#:.]+)\(`, `^\s*command!?\s+(?:-\S+\s+)*(\w+)`, `^\s*let\s+(g:\w+)`)},
})
